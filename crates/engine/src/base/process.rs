// SPDX-License-Identifier: GPL-3.0-or-later
//! Processes of this machine, told apart although numbers are used again.

use serde::{Deserialize, Serialize};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// A process of this machine: its number, and when it was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessId {
    /// The number that the system gave it.
    pub id: u32,
    /// When it was started, in seconds since 1970.
    pub started: u64,
}

impl ProcessId {
    /// This process.
    pub fn this() -> Self {
        let id = std::process::id();
        Self { id, started: started(id).unwrap_or_default() }
    }

    /// Whether it still runs. A process of another machine does not run here.
    pub fn runs(self) -> bool {
        started(self.id) == Some(self.started)
    }
}

/// When the process that has this number now was started; none if there is no such process.
fn started(id: u32) -> Option<u64> {
    let mut system = System::new().ok()?;
    let pid = Pid::from_u32(id);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, ProcessRefreshKind::nothing());
    system.process(pid).map(sysinfo::Process::start_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_until_it_ends() {
        let this = ProcessId::this();
        assert!(this.runs() && this.started > 0);
        // Another process that had the same number.
        assert!(!ProcessId { started: this.started - 1, ..this }.runs());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let process = ProcessId { id: child.id(), started: started(child.id()).unwrap() };
        assert!(process.runs());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!process.runs());
    }
}
