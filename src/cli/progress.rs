// SPDX-License-Identifier: GPL-3.0-or-later
//! Progress on stderr: a bar where stderr is a terminal, only the notes where it is a file.

use std::time::Duration;

use super::output::tell;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar and the notes above it.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar that is full after `total` steps.
    pub fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
        let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {percent:>3}% {msg} (about {eta} left)");
        // The template is ours and good; were it not, the default style would do.
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// One step done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// What was done so far took no time: it does not count in how much time is left.
    pub fn estimate_from_here(&self) {
        self.bar.reset_eta();
    }

    /// So many more steps are to be done than was thought.
    pub fn add(&self, steps: u64) {
        self.bar.inc_length(steps);
    }

    /// So many steps of what was expected are not needed after all.
    pub fn drop_steps(&self, steps: u64) {
        self.bar.dec_length(steps);
    }

    /// What is being done now.
    pub fn message(&self, text: impl Into<String>) {
        self.bar.set_message(text.into());
    }

    /// A line that stays.
    pub fn note(&self, line: &str) {
        if self.bar.is_hidden() {
            tell(line);
        } else {
            self.bar.println(line);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
