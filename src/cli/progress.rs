// SPDX-License-Identifier: GPL-3.0-or-later
//! Progress on stderr: a bar if stderr is a terminal, otherwise only the notes.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::tell;
use super::pace::Pace;
use halfply_engine::base::echo::plain;
use halfply_lab::report::terminal;
use halfply_lab::run::gather::Gathered;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar and the notes above it.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    outlook: Arc<Mutex<Outlook>>,
}

impl Progress {
    /// A bar that is full after `total` steps, if no [stage](Self::stage) is begun.
    pub fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
        let (start, outlook) = (Instant::now(), Arc::new(Mutex::new(Outlook::new())));
        let style = ProgressStyle::with_template("{elapsed_precise} [{bar:20}] {percent:>3}%{rest}");
        // The template is ours and good; were it not, the default style would do.
        if let Ok(style) = style {
            let outlook = Arc::clone(&outlook);
            let rest = move |state: &ProgressState, line: &mut dyn fmt::Write| {
                let steps = state.len().unwrap_or_default().saturating_sub(state.pos());
                let outlook = outlook.lock().unwrap_or_else(PoisonError::into_inner);
                // A line cannot fail to be written to.
                let _ = line.write_str(&outlook.rest(steps, start.elapsed(), width()));
            };
            bar.set_style(style.progress_chars("=> ").with_key("rest", rest));
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, start, outlook }
    }

    /// All of the work is so many steps.
    pub fn all(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Begins a part of the work with a number of steps. Later parts are unknown, so the bar and the time left are
    /// those of this part.
    pub fn stage(&self, name: &str, steps: u64) {
        self.change(|outlook| outlook.stage = Some(plain(name).into_owned()));
        self.bar.set_position(0);
        self.bar.set_length(steps);
    }

    /// One step done.
    pub fn step(&self) {
        let now = self.start.elapsed();
        self.change(|outlook| outlook.pace.step(now));
        self.bar.inc(1);
    }

    /// A unit has its result. One that is not new takes no time and does not count for the pace.
    pub fn unit(&self, is_new: bool) {
        if is_new { self.step() } else { self.bar.inc(1) }
    }

    /// Removes steps that turned out not to be needed.
    pub fn drop_steps(&self, steps: u64) {
        self.bar.dec_length(steps);
    }

    /// Follows lines as they are gathered, which have this name.
    pub fn of(&self, noun: &'static str) -> impl FnMut(Gathered) {
        move |Gathered { lines, tried }| {
            if self.bar.position() < lines as u64 {
                self.step();
            }
            self.message(format!("{noun} from {tried} attempts"));
        }
    }

    /// What is being done now.
    pub fn message(&self, text: impl Into<String>) {
        self.change(|outlook| outlook.message = plain(&text.into()).into_owned());
    }

    /// A line that stays.
    pub fn note(&self, line: &str) {
        if self.bar.is_hidden() {
            tell(line);
        } else {
            self.bar.println(plain(line));
        }
    }

    /// Does what prints to stdout, which may be the bar's terminal.
    pub fn beside<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn change(&self, change: impl FnOnce(&mut Outlook)) {
        // A panic in another thread leaves the figures valid.
        change(&mut self.outlook.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The columns before the estimate: `00:00:00 [====================] 100%`.
const BEFORE_REST: usize = 36;

/// The width of the terminal that stderr is.
fn width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(terminal::WIDTH, |(width, _)| usize::from(width.0))
}

/// The estimate of the time left.
#[derive(Debug)]
struct Outlook {
    pace: Pace,
    /// The part of the work that the steps are of; none if they are all of it.
    stage: Option<String>,
    /// What is being done now.
    message: String,
}

impl Outlook {
    fn new() -> Self {
        Self { pace: Pace::new(), stage: None, message: String::new() }
    }

    /// What follows the percentage on a terminal of that width: the estimate, and what is being done. A line that wraps
    /// would not be erased as a whole.
    fn rest(&self, steps: u64, now: Duration, width: usize) -> String {
        let rest = format!("{}  {}", self.text(steps, now), self.message);
        terminal::cut(rest.trim_end(), width.saturating_sub(BEFORE_REST + 1))
    }

    /// The estimate as text to follow the percentage; empty while it is unknown.
    fn text(&self, steps: u64, now: Duration) -> String {
        let Some(time) = self.pace.time_for(steps, now) else { return String::new() };
        let of = self.stage.as_ref().map(|stage| format!(" of {stage}")).unwrap_or_default();
        format!(", about {} left{of}", HumanDuration(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `learn` as it goes: levels of 16, 66 and 20 features with 302 searches each, 500 a second. The bar once took the
    /// first level for the whole, and searches of the journal for quick ones.
    #[test]
    fn the_time_left_is_that_of_the_level_and_comes_true() {
        let mut outlook = Outlook::new();
        let mut now = 0.0;
        for (level, features) in [(1, 16_u32), (2, 66), (3, 20)] {
            outlook.stage = Some(format!("level {level}"));
            let end = now + f64::from(features * 302) / 500.0;
            for left in (0..features * 302).rev() {
                now += 1.0 / 500.0;
                let time = Duration::from_secs_f64(now);
                outlook.pace.step(time);
                let text = outlook.text(u64::from(left), time);
                match outlook.pace.time_for(u64::from(left), time) {
                    Some(found) => assert!((found.as_secs_f64() - (end - now)).abs() < 0.05, "{found:?} at {now}"),
                    None => assert!(now < 2.0 && text.is_empty(), "{text}"),
                }
                assert!(text.is_empty() || text.ends_with(&format!(" left of level {level}")), "{text}");
            }
        }
        outlook.stage = None;
        let time = Duration::from_secs_f64(now);
        assert_eq!(outlook.text(500 * 35, time), ", about 35 seconds left");
        assert_eq!(outlook.text(500 * 240, time), ", about 4 minutes left");
    }

    #[test]
    fn a_line_fits_the_terminal() {
        let mut outlook = Outlook::new();
        for second in 0..100 {
            outlook.pace.step(Duration::from_secs(second));
        }
        for message in ["", "short", &"long ".repeat(50)] {
            outlook.message = message.to_owned();
            outlook.stage = Some(message.to_owned());
            for width in [0, 20, 37, 38, 60, 80, 81, 200] {
                let rest = outlook.rest(1_000_000, Duration::from_secs(100), width);
                let symbols = rest.chars().count();
                assert!(symbols == 0 || BEFORE_REST + symbols < width, "{width}: {rest:?}");
            }
        }
        outlook.stage = None;
        outlook.message = "depth 3".to_owned();
        assert_eq!(outlook.rest(240, Duration::from_secs(100), 80), ", about 4 minutes left  depth 3");
    }

    #[test]
    fn results_that_were_known_do_not_count() {
        let progress = Progress::new(0);
        progress.stage("level 1", 5000);
        for _ in 0..4900 {
            progress.unit(false);
        }
        assert_eq!((progress.bar.position(), progress.bar.length()), (4900, Some(5000)));
        let much_later = Duration::from_secs(100);
        assert_eq!(progress.outlook.lock().unwrap().text(100, much_later), "");
        for _ in 0..10 {
            progress.unit(true);
        }
        assert_eq!(progress.outlook.lock().unwrap().text(90, much_later), ", about 15 minutes left of level 1");
        progress.stage("level 2", 70);
        progress.drop_steps(20);
        assert_eq!((progress.bar.position(), progress.bar.length()), (0, Some(50)));
    }
}
