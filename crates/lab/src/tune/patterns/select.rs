// SPDX-License-Identifier: GPL-3.0-or-later
//! Approximated forward selection (section 6.2 of the paper): univariate regressions, one after the other, each on the
//! residuals of the one before.
//!
//! A class of images is one variable, and is selected as a whole: its images have the same priority in positions that are
//! expanded by all symmetries.

use std::thread;

use clap::ValueEnum;

use super::columns::{Class, Features};

/// The most classes of a set: the table of their co-occurrences has as many rows and columns.
pub const LARGEST_SET: usize = 20_000;

/// The least variance of a class that says something.
const LEAST_VARIANCE: f64 = 1e-9;

/// A variable that was selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    /// Its place among the features.
    pub class: usize,
    /// The slope of its regression, in points.
    pub weight: f64,
    /// Its [`Priority`] when it was selected, in points.
    pub priority: f64,
    /// The root of the mean square of the residuals after it.
    pub error: f64,
}

/// What a threshold selected.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// What was selected, in order.
    pub picked: Vec<Picked>,
    /// What all positions have in common.
    pub constant: f64,
}

/// The priority function of Figure 12: which variable is selected next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Priority {
    /// The covariance of a pattern with the residuals, as in the paper
    #[default]
    Covariance,
    /// Its correlation with them, times their deviation: by how much they would be predicted
    Correlation,
}

/// Which sets of candidates come first. The paper sorts by frequency, and does not say in which direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// The most frequent patterns
    #[default]
    Frequent,
    /// The rarest ones
    Rare,
}

impl Priority {
    /// By what the covariance of a class, summed over positions, is multiplied. `variance` is its sum of squares.
    fn share(self, positions: f64, images: u32, variance: f64) -> f64 {
        match self {
            // In expanded positions, a single image has this share of the covariance of all.
            Self::Covariance => 1.0 / (positions * f64::from(images)),
            // What is the same everywhere has no correlation.
            Self::Correlation if variance <= positions * LEAST_VARIANCE => 0.0,
            Self::Correlation => 1.0 / (positions * variance).sqrt(),
        }
    }
}

/// How variables are selected.
#[derive(Clone, Copy, Debug)]
pub struct SelectSettings {
    /// The paper's threshold, in points: a set has nothing more to select when no priority reaches it.
    pub threshold: f64,
    /// Classes in a set `X_i`.
    pub set: usize,
    /// What is selected next from a set.
    pub priority: Priority,
    /// Which sets come first.
    pub order: Order,
    /// Whether regressions have an intercept: not if exchanged players have opposite values, for then it is 0.
    pub intercept: bool,
    /// Threads for the tables of co-occurrences; they change no result.
    pub threads: usize,
}

/// The iterative selection of Figure 13: sets of features one after the other, by frequency. `observe` is called after each set with the number of its classes.
pub fn select(
    features: &Features,
    targets: &[f64],
    settings: &SelectSettings,
    observe: &mut dyn FnMut(usize),
) -> Selection {
    let mean = targets.iter().sum::<f64>() / targets.len().max(1) as f64;
    let constant = if settings.intercept { mean } else { 0.0 };
    let mut residuals: Vec<f64> = targets.iter().map(|target| target - constant).collect();
    let mut selection = Selection { picked: Vec::new(), constant };
    let mut order: Vec<usize> = (0..features.classes.len()).collect();
    // Equal frequencies in the order of the features: the sort is stable.
    order.sort_by_key(|&class| std::cmp::Reverse(features.classes[class].count));
    if settings.order == Order::Rare {
        order.reverse();
    }
    for places in order.chunks(settings.set.clamp(1, LARGEST_SET)) {
        let set = features.of(places);
        Cooccurrences::new(&set, settings).forward(&set, places, settings, &mut residuals, &mut selection);
        observe(places.len());
    }
    selection
}

/// The sums of products of the classes of a set, without the products of their means if there is an intercept.
struct Cooccurrences {
    size: usize,
    /// By class, by class.
    products: Vec<f32>,
    means: Vec<f64>,
}

impl Cooccurrences {
    fn new(set: &Features, settings: &SelectSettings) -> Self {
        let (size, positions) = (set.classes.len(), set.positions());
        let mut rows: Vec<Vec<(u32, f32)>> = vec![Vec::new(); positions];
        let mut means = vec![0.0; size];
        for (class, mean) in means.iter_mut().enumerate() {
            for (number, value) in set.entries(class) {
                rows[number].push((class as u32, value as f32));
                *mean += value;
            }
            *mean = if settings.intercept { *mean / positions.max(1) as f64 } else { 0.0 };
        }
        let mut products = vec![0.0_f32; size * size];
        let of_class = |class: usize, row: &mut [f32]| {
            for (number, value) in set.entries(class) {
                for &(other, product) in &rows[number] {
                    row[other as usize] += value as f32 * product;
                }
            }
            let share = positions as f64 * means[class];
            row.iter_mut().zip(&means).for_each(|(product, mean)| *product -= (share * mean) as f32);
        };
        let a_thread = size.div_ceil(settings.threads.max(1)).max(1);
        thread::scope(|scope| {
            for (part, rows) in products.chunks_mut((a_thread * size).max(1)).enumerate() {
                scope.spawn(move || {
                    for (place, row) in rows.chunks_mut(size).enumerate() {
                        of_class(part * a_thread + place, row);
                    }
                });
            }
        });
        Self { size, products, means }
    }

    /// Approximated forward selection (Figure 12) from this set. The residuals become those after it.
    fn forward(
        &self,
        set: &Features,
        places: &[usize],
        settings: &SelectSettings,
        residuals: &mut [f64],
        selection: &mut Selection,
    ) {
        let positions = residuals.len().max(1) as f64;
        let mut covariances = set.products(residuals);
        let mut squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let mut is_open = vec![true; self.size];
        let mut weights = vec![0.0; self.size];
        let variance = |class: usize| f64::from(self.products[class * self.size + class]);
        let share = |(class, of): (usize, &Class)| settings.priority.share(positions, of.images, variance(class));
        let shares: Vec<f64> = set.classes.iter().enumerate().map(share).collect();
        loop {
            let mut best = (settings.threshold, None);
            for class in 0..self.size {
                let priority = covariances[class].abs() * shares[class];
                if is_open[class] && priority > best.0 {
                    best = (priority, Some(class));
                }
            }
            let (priority, Some(class)) = best else { break };
            is_open[class] = false;
            let row = &self.products[class * self.size..(class + 1) * self.size];
            let variance = variance(class);
            // A class that is the same in all positions says nothing.
            if variance <= positions * LEAST_VARIANCE {
                continue;
            }
            let covariance = covariances[class];
            let slope = covariance / variance;
            weights[class] = slope;
            for (other, &product) in covariances.iter_mut().zip(row) {
                *other -= slope * f64::from(product);
            }
            squares -= slope * covariance;
            let error = (squares.max(0.0) / positions).sqrt();
            selection.picked.push(Picked { class: places[class], weight: slope, priority, error });
        }
        let intercept: f64 = weights.iter().zip(&self.means).map(|(weight, mean)| weight * mean).sum();
        selection.constant -= intercept;
        for (residual, sum) in residuals.iter_mut().zip(set.sums(&weights)) {
            *residual -= sum - intercept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::patterns::columns::Columns;
    use crate::tune::patterns::tests::{board, frame, positions};
    use halfply_engine::patterns::{Content, Frame, Pattern, View};

    fn fact(content: Content, square: u8) -> Pattern {
        Pattern::default().with(content, square).unwrap()
    }

    /// Single facts and pairs of neighbours in a row.
    fn candidates(frame: &Frame) -> Vec<Pattern> {
        let facts = Content::ALL.into_iter().flat_map(|content| board().squares().map(move |s| fact(content, s)));
        let facts: Vec<Pattern> = facts.collect();
        let pairs = facts.iter().flat_map(|first| {
            Content::ALL
                .into_iter()
                .filter_map(move |content| first.with(content, (first.squares().trailing_zeros() as u8 + 1) & 63))
        });
        let mut all: Vec<Pattern> =
            pairs.chain(facts.iter().copied()).map(|pattern| frame.representative(pattern)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn settings(set: usize) -> SelectSettings {
        let (priority, order) = (Priority::Covariance, Order::Frequent);
        SelectSettings { threshold: 0.02, set, priority, order, intercept: false, threads: 3 }
    }

    /// The algorithm of Figure 12 as it stands: regressions on residuals, nothing remembered.
    fn slow(
        features: &Features,
        targets: &[f64],
        (threshold, priority): (f64, Priority),
        intercept: bool,
    ) -> (Vec<usize>, Vec<f64>) {
        let count = targets.len() as f64;
        let mean = |values: &[f64]| if intercept { values.iter().sum::<f64>() / count } else { 0.0 };
        let column = |class: usize| {
            let mut values = vec![0.0; targets.len()];
            features.entries(class).for_each(|(number, value)| values[number] = value);
            let mean = mean(&values);
            values.iter().map(|value| value - mean).collect::<Vec<f64>>()
        };
        let start = mean(targets);
        let mut residuals: Vec<f64> = targets.iter().map(|target| target - start).collect();
        let mut picked = Vec::new();
        loop {
            let covariance = |class: usize| column(class).iter().zip(&residuals).map(|(x, y)| x * y).sum::<f64>();
            let priority = |class: usize| match priority {
                Priority::Covariance => covariance(class).abs() / (count * f64::from(features.classes[class].images)),
                Priority::Correlation => {
                    let squares = column(class).iter().map(|x| x * x).sum::<f64>();
                    if squares > 0.0 { covariance(class).abs() / (count * squares).sqrt() } else { 0.0 }
                }
            };
            let open = (0..features.classes.len()).filter(|class| !picked.contains(class));
            let best = open.max_by(|&left, &right| priority(left).total_cmp(&priority(right)));
            let Some(class) = best.filter(|&class| priority(class) > threshold) else { return (picked, residuals) };
            let values = column(class);
            let slope = covariance(class) / values.iter().map(|value| value * value).sum::<f64>();
            residuals.iter_mut().zip(values).for_each(|(residual, value)| *residual -= slope * value);
            picked.push(class);
        }
    }

    #[test]
    fn a_set_is_selected_as_the_papers_figure_12_says() {
        let both = [Priority::Covariance, Priority::Correlation];
        for (view, priority) in [View::Players, View::Mover].into_iter().flat_map(|view| both.map(|way| (view, way))) {
            let (frame, positions) = (frame(view), positions(300));
            let features = Features::new(&frame, &Columns::new(&frame, &positions), &candidates(&frame), [0.0, 1.0]);
            let noise = |number: usize| (halfply_engine::base::mix::mix(number as u64) % 9) as f64 - 4.0;
            let value = |(number, position): (usize, &Pattern)| {
                let difference = |squares: u64| {
                    let count = |content| f64::from((position.set(content) & squares).count_ones());
                    count(Content::First) - count(Content::Second)
                };
                5.0 * difference(0x8100_0000_0000_0081) - 2.0 * difference(0x0042_0000_0000_4200) + noise(number)
            };
            let targets: Vec<f64> = positions.iter().enumerate().map(value).collect();
            let intercept = view == View::Mover;
            let thresholds = if priority == Priority::Covariance { [0.5, 0.01] } else { [2.0, 0.5] };
            let selections = thresholds.map(|threshold| {
                let settings = SelectSettings { threshold, intercept, priority, ..settings(10_000) };
                select(&features, &targets, &settings, &mut |_| ())
            });
            for (threshold, selection) in thresholds.into_iter().zip(&selections) {
                let (expected, residuals) = slow(&features, &targets, (threshold, priority), intercept);
                // Selection sorts by frequency; equal priorities do not occur here.
                let found: Vec<usize> = selection.picked.iter().map(|picked| picked.class).collect();
                assert_eq!(found, expected);
                let mut weights = vec![0.0; features.classes.len()];
                selection.picked.iter().for_each(|picked| weights[picked.class] = picked.weight);
                let sums = features.sums(&weights);
                let errors = targets.iter().zip(sums).map(|(target, sum)| target - sum - selection.constant);
                for (error, residual) in errors.zip(residuals) {
                    assert!((error - residual).abs() < 1e-3, "{error} {residual}");
                }
                assert!(selection.picked.is_sorted_by(|a, b| a.error >= b.error), "the error only decreases");
            }
            // By correlation both thresholds may select the same.
            let [few, many] = [0, 1].map(|place| selections[place].picked.len());
            assert!(few < many || priority == Priority::Correlation && few == many, "{few} {many}");
            // The corner first, or what says the same.
            let best = features.classes[selections[0].picked[0].class].pattern;
            let is_corner = best.squares() & 0x8100_0000_0000_0081 == best.squares();
            assert!(is_corner || priority == Priority::Correlation, "{best:?}");
        }
    }

    #[test]
    fn sets_are_selected_one_after_the_other() {
        let (frame, positions) = (frame(View::Players), positions(200));
        let features = Features::new(&frame, &Columns::new(&frame, &positions), &candidates(&frame), [0.0, 1.0]);
        let targets: Vec<f64> =
            (0..200).map(|number| (halfply_engine::base::mix::mix(number) % 21) as f64 - 10.0).collect();
        let with = |set, order| {
            let settings = SelectSettings { order, ..settings(set) };
            let mut sets = Vec::new();
            let selection = select(&features, &targets, &settings, &mut |classes| sets.push(classes));
            (selection, sets)
        };
        let (whole, _) = with(10_000, Order::Frequent);
        let (parts, sets) = with(7, Order::Frequent);
        assert!(sets.len() > 2 && sets.iter().sum::<usize>() == features.classes.len());
        assert_ne!(whole, parts, "the order of patterns is important");
        // No class of a later set comes before one of an earlier set.
        let frequency = |picked: &Picked| features.classes[picked.class].count;
        let (first, last) = (&parts.picked[0], &parts.picked[parts.picked.len() - 1]);
        assert!(frequency(first) > frequency(last));
        let (rare, _) = with(7, Order::Rare);
        assert!(frequency(&rare.picked[0]) < frequency(&rare.picked[rare.picked.len() - 1]));
        for selection in [whole, parts] {
            let mut weights = vec![0.0; features.classes.len()];
            selection.picked.iter().for_each(|picked| weights[picked.class] = picked.weight);
            let squares: f64 =
                features.sums(&weights).iter().zip(&targets).map(|(sum, target)| (target - sum).powi(2)).sum();
            let error = (squares / 200.0).sqrt();
            let told = selection.picked.last().unwrap().error;
            assert!((error - told).abs() < 1e-3, "{error} {told}");
        }
    }
}
