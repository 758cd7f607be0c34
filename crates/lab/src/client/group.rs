// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine's process together with the processes that it starts.
//!
//! On Unix every engine leads a process group of its own, whose number is the engine's. That number is safe to signal
//! only until the engine has been reaped; after that the system may reuse it. So the end of an engine is detected
//! without reaping it, and its group is killed first. Other systems have no such groups, and processes started by an
//! engine are not killed.

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

/// Kills the process and, on Unix, all processes in its group. The process must not have been reaped.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // This fails only if no process in the group is alive.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    // This fails only if it has ended already.
    let _ = child.kill();
}
