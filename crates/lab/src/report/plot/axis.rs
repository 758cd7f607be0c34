// SPDX-License-Identifier: GPL-3.0-or-later
//! Axes with round ticks.

use halfply_engine::base::figures::thousands;

/// The most ticks on an axis.
const TICKS: f64 = 6.0;

/// The round step (1, 2 or 5 times a power of ten) that divides a span into at most `most` parts. The span must be positive
/// and finite.
fn round_step(span: f64, most: f64) -> f64 {
    let power = 10_f64.powf((span / most).log10().floor());
    let is_enough = |step: &f64| span / step <= most * (1.0 + 1e-9);
    [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(is_enough).unwrap_or(10.0 * power)
}

/// One axis of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(super) title: String,
    low: f64,
    high: f64,
    pub(super) ticks: Vec<(f64, String)>,
    is_logarithmic: bool,
}

impl Axis {
    /// Any numbers. The axis ends at round values that include `low` and `high`. Millions are shown as `10.5 M`, because
    /// there is room for eight characters beside the axis.
    pub fn numbers(title: &str, low: f64, high: f64) -> Self {
        const MILLION: f64 = 1e6;
        if low.abs().max(high.abs()) < MILLION {
            return Self::rounded(title, low, high, 0.0, number);
        }
        let millions = |value, step| format!("{} M", number(value, step));
        Self::rounded(title, low / MILLION, high / MILLION, 0.0, millions).scaled(MILLION)
    }

    /// Whole numbers, such as positions. The axis ends at round values that include `low` and `high`.
    pub fn counts(title: &str, low: f64, high: f64) -> Self {
        Self::rounded(title, low, high, 1.0, number)
    }

    /// Shares of one, shown as percentages. The axis ends at round values that include `low` and `high`.
    pub fn shares(title: &str, low: f64, high: f64) -> Self {
        Self::rounded(title, 100.0 * low, 100.0 * high, 0.0, |value, step| format!("{} %", number(value, step)))
            .scaled(0.01)
    }

    /// Steps that are numbered from `first` to `last`. The axis ends exactly there.
    pub fn steps(title: &str, first: f64, last: f64) -> Self {
        let (low, high) = spread(first, last);
        let step = round_step(high - low, TICKS).max(1.0);
        Self { title: title.to_owned(), low, high, ticks: ticks(low, high, step, number), is_logarithmic: false }
    }

    /// Shares of one on a logarithmic scale up to 100 %, from `least`, which is above 0. Lower shares are drawn there.
    pub fn rates(title: &str, least: f64) -> Self {
        let decades = (-least.clamp(1e-9, 0.1).log10() - 1e-9).ceil();
        let digits: &[f64] = if decades > 2.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let mut ticks = Vec::new();
        for decade in (1..=decades as i32).rev() {
            ticks.extend(digits.iter().map(|digit| digit * 10_f64.powi(-decade)));
        }
        ticks.push(1.0);
        let label = |share: f64| {
            let percent = 100.0 * share;
            (share, format!("{} %", number(percent, 10_f64.powf(percent.log10().floor()))))
        };
        Self {
            title: title.to_owned(),
            low: ticks[0],
            high: 1.0,
            ticks: ticks.into_iter().map(label).collect(),
            is_logarithmic: true,
        }
    }

    fn rounded(title: &str, low: f64, high: f64, least: f64, figure: impl Fn(f64, f64) -> String) -> Self {
        let (low, high) = spread(low, high);
        let step = round_step(high - low, TICKS).max(least);
        let (low, high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        Self { title: title.to_owned(), low, high, ticks: ticks(low, high, step, figure), is_logarithmic: false }
    }

    fn scaled(self, factor: f64) -> Self {
        let ticks = self.ticks.into_iter().map(|(value, label)| (value * factor, label)).collect();
        Self { low: self.low * factor, high: self.high * factor, ticks, ..self }
    }

    /// Where a value is on the axis, 0 to 1. Values beyond an end are at that end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.is_logarithmic { value.max(self.low).ln() } else { value };
        let (low, high) = (scale(self.low), scale(self.high));
        ((scale(value) - low) / (high - low)).clamp(0.0, 1.0)
    }
}

/// Ends that are finite and differ.
fn spread(low: f64, high: f64) -> (f64, f64) {
    const MOST: f64 = 1e15;
    if !low.is_finite() || !high.is_finite() {
        return (0.0, 1.0);
    }
    let (low, high) = (low.clamp(-MOST, MOST), high.clamp(-MOST, MOST));
    // Narrower spans would be lost in rounding.
    let least = 1e-9 * high.abs().max(low.abs()).max(1e-3);
    if high - low > least { (low, high) } else { (low - 0.5, low + 0.5) }
}

/// The multiples of a step between two ends.
fn ticks(low: f64, high: f64, step: f64, figure: impl Fn(f64, f64) -> String) -> Vec<(f64, String)> {
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let count = (last - first).clamp(0.0, 2.0 * TICKS) as usize;
    (0..=count).map(|place| (first + place as f64) * step).map(|value| (value, figure(value, step))).collect()
}

/// A number with as many decimals as its step has.
fn number(value: f64, step: f64) -> String {
    let places = (-step.log10()).ceil().max(0.0) as usize;
    if places == 0 && value.abs() >= 1000.0 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", thousands(value.abs().round() as u64));
    }
    // Not -0.
    let value = if value.abs() < step / 2.0 { 0.0 } else { value };
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| &**label).collect()
    }

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        assert_eq!(labels(&Axis::counts("", 0.0, 103.0)), ["0", "20", "40", "60", "80", "100", "120"]);
        assert_eq!(labels(&Axis::counts("", 0.0, 2.0)), ["0", "1", "2"]);
        assert_eq!(labels(&Axis::counts("", -30.0, 41.0)), ["-40", "-20", "0", "20", "40", "60"]);
        assert_eq!(
            labels(&Axis::numbers("", 0.618, 0.645)),
            ["0.615", "0.620", "0.625", "0.630", "0.635", "0.640", "0.645"]
        );
        assert_eq!(labels(&Axis::numbers("", 0.0, 93_000.0)), ["0", "20,000", "40,000", "60,000", "80,000", "100,000"]);
        let millions = Axis::numbers("", 7_529_851.0, 10_314_896.0);
        assert_eq!(labels(&millions), ["7.5 M", "8.0 M", "8.5 M", "9.0 M", "9.5 M", "10.0 M", "10.5 M"]);
        assert!((millions.place(9_000_000.0) - 0.5).abs() < 1e-9);
        assert_eq!(labels(&Axis::shares("", 0.43, 0.61)), ["40 %", "45 %", "50 %", "55 %", "60 %", "65 %"]);
        assert_eq!(labels(&Axis::steps("", 1.0, 47.0)), ["10", "20", "30", "40"]);
        assert_eq!(labels(&Axis::steps("", 1.0, 1.0)), ["1"]);
        assert_eq!(labels(&Axis::rates("", 0.03)), ["1 %", "2 %", "5 %", "10 %", "20 %", "50 %", "100 %"]);
        assert_eq!(labels(&Axis::rates("", 0.0004)), ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"]);
    }

    #[test]
    fn values_are_where_the_ticks_say() {
        let axis = Axis::shares("", 0.43, 0.61);
        for (value, label) in [(0.4, 0.0), (0.65, 1.0), (0.525, 0.5), (7.0, 1.0)] {
            assert!((axis.place(value) - label).abs() < 1e-9, "{value}");
        }
        assert!((Axis::rates("", 0.01).place(0.1) - 0.5).abs() < 1e-9);
        assert!(Axis::rates("", 0.01).place(0.0).abs() < 1e-9);
    }

    #[test]
    fn any_ends_have_an_axis() {
        let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.0, 1e15];
        for low in strange {
            for high in strange {
                for axis in [Axis::numbers("", low, high), Axis::counts("", low, high), Axis::steps("", low, high)] {
                    assert!(axis.ticks.len() < 20 && axis.low < axis.high, "{low} {high} {axis:?}");
                    assert!((0.0..=1.0).contains(&axis.place(low.clamp(-1.0, 1.0).max(-1.0))) || low.is_nan());
                }
            }
        }
    }
}
