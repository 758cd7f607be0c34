// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine's process together with the processes that it starts.
//!
//! On Unix every engine leads a process group of its own, whose number is the engine's. That number is safe to signal
//! only as long as the engine has not been reaped; afterwards the system may give it to somebody else. So the end of an
//! engine is noticed without reaping it, and its group is killed first. Elsewhere there are no such groups, and what an
//! engine starts is not found.

use std::process::Child;

/// Whether the process has ended. On Unix it stays a zombie, so that its group can still be killed.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(Some(_)) | Err(Errno::CHILD))
}

/// Whether the process has ended.
#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills the process and, on Unix, whatever it has started and is still in its group. The process must not have been
/// reaped.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // That fails only if nobody in the group is alive.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    // That fails only if it has ended already.
    let _ = child.kill();
}
