// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether an engine obeys node limits.

use std::time::Duration;

use super::fault::EngineFault;
use super::search::AnswerLimits;
use super::session::Client;

/// Nodes of the search that shows it.
const NODES: u64 = 10_000;

/// How long that search may take.
const TIME: Duration = Duration::from_secs(10);

impl Client {
    /// Has the engine search a position (a whole line, `position startpos`) for at most `given` nodes, and no more than
    /// 10,000. Some engines ignore node limits and would search for ever. This detects them once, before the other
    /// searches. Other faults show in searches.
    ///
    /// # Errors
    /// [`EngineFault::Overrun`] if it exceeds them; it has been killed then.
    pub fn keeps_to_nodes(
        &mut self,
        position: &str,
        given: u64,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(), EngineFault> {
        let given = given.min(NODES);
        let allowance = AnswerLimits { total: Some(TIME), nodes: Some(given), ..AnswerLimits::default() };
        match self.go(position, &format!("go nodes {given}"), allowance, interrupted, &mut |_| ()) {
            Err(fault @ EngineFault::Overrun { .. }) => Err(fault),
            // On a loaded machine it may not have got far.
            Ok(answer) if answer.stopped && answer.nodes > 10 * given => {
                self.fail(EngineFault::Overrun { given, told: answer.nodes }, interrupted)
            }
            _ => Ok(()),
        }
    }
}
