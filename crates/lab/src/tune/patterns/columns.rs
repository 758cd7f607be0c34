// SPDX-License-Identifier: GPL-3.0-or-later
//! Facts as columns of bits over positions, so that whether a pattern matches sixty-four positions is one `and` a fact.

use halfply_engine::base::bits::ones;
use halfply_engine::patterns::{Frame, Pattern};

/// Facts that there may be: three contents of 64 squares.
const FACTS: usize = 192;

/// The facts of positions and of all their images: the paper "expands symmetric ones again" (section 7).
#[derive(Clone, Debug)]
pub struct Columns {
    positions: usize,
    /// By image: 1, or -1 where the players are exchanged.
    signs: Vec<i8>,
    /// Words of 64 positions, for an image.
    words: usize,
    /// By fact, by image, by word.
    bits: Vec<u64>,
}

impl Columns {
    /// The columns of positions, which are given as all of their facts.
    pub fn new(frame: &Frame, positions: &[Pattern]) -> Self {
        let signs: Vec<i8> = frame.ties().iter().map(|symmetry| symmetry.sign()).collect();
        let words = positions.len().div_ceil(64);
        let mut bits = vec![0; FACTS * signs.len() * words];
        for (number, &position) in positions.iter().enumerate() {
            for (image, symmetry) in frame.ties().iter().enumerate() {
                for (content, square) in symmetry.image(position).facts() {
                    let fact = content as usize * 64 + usize::from(square);
                    bits[(fact * signs.len() + image) * words + number / 64] |= 1 << (number % 64);
                }
            }
        }
        Self { positions: positions.len(), signs, words, bits }
    }

    /// The number of positions with all their images.
    pub fn expanded(&self) -> u64 {
        (self.positions * self.signs.len()) as u64
    }

    /// In how many positions, with all their images, a pattern matches.
    pub fn count(&self, pattern: Pattern) -> u64 {
        let mut count = 0;
        self.each_word(pattern, |_, _, bits| count += u64::from(bits.count_ones()));
        count
    }

    /// Adds to `sums`, for each position, the sum of 1 or -1 over those of its images that a pattern matches: -1 where the
    /// players are exchanged. `touched` gets the positions with such images.
    fn add(&self, pattern: Pattern, sums: &mut [i16], touched: &mut Vec<u32>) {
        self.each_word(pattern, |image, word, bits| {
            for bit in ones(bits) {
                let number = word * 64 + bit as usize;
                sums[number] += i16::from(self.signs[image]);
                touched.push(number as u32);
            }
        });
        touched.sort_unstable();
        touched.dedup();
    }

    /// Calls `each` for each image and word with the positions that a pattern matches, if there are any.
    fn each_word(&self, pattern: Pattern, mut each: impl FnMut(usize, usize, u64)) {
        let facts: Vec<usize> =
            pattern.facts().map(|(content, square)| content as usize * 64 + usize::from(square)).collect();
        for image in 0..self.signs.len() {
            let column = |&fact: &usize| {
                let start = (fact * self.signs.len() + image) * self.words;
                &self.bits[start..start + self.words]
            };
            let columns: Vec<&[u64]> = facts.iter().map(column).collect();
            for word in 0..self.words {
                let bits = columns.iter().fold(u64::MAX, |bits, column| bits & column[word]);
                if bits != 0 {
                    each(image, word, bits);
                }
            }
        }
    }
}

/// Patterns with the same weight, images of each other, as one explanatory variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// One of the images, which stands for all.
    pub pattern: Pattern,
    /// How many different images there are.
    pub images: u32,
    /// In how many positions, with all their images, the pattern matches.
    pub count: u64,
}

/// The values of classes in positions: the number of images that match, those with exchanged players counted negatively.
/// Most are 0 and are not stored.
#[derive(Clone, Debug)]
pub struct Features {
    /// The classes.
    pub classes: Vec<Class>,
    positions: usize,
    expanded: u64,
    /// By class: where its entries begin; then where the last one ends.
    starts: Vec<usize>,
    numbers: Vec<u32>,
    values: Vec<i8>,
}

impl Features {
    /// The values of these patterns, without those whose frequency is outside `window` and those that are their own
    /// opposites.
    pub fn new(frame: &Frame, columns: &Columns, patterns: &[Pattern], window: [f64; 2]) -> Self {
        let mut features = Self {
            classes: Vec::new(),
            positions: columns.positions,
            expanded: columns.expanded(),
            starts: vec![0],
            numbers: Vec::new(),
            values: Vec::new(),
        };
        let mut sums = vec![0; columns.positions];
        let mut touched = Vec::new();
        for &pattern in patterns {
            let count = columns.count(pattern);
            let frequency = count as f64 / features.expanded.max(1) as f64;
            if frequency < window[0] || frequency > window[1] {
                continue;
            }
            let Some(images) = frame.images(pattern) else { continue };
            columns.add(pattern, &mut sums, &mut touched);
            // Each match is counted once for each symmetry that changes nothing in the pattern.
            let repeats = (columns.signs.len() / images.len()) as i16;
            for &number in &touched {
                let sum = std::mem::take(&mut sums[number as usize]);
                if sum != 0 {
                    features.numbers.push(number);
                    features.values.push((sum / repeats) as i8);
                }
            }
            touched.clear();
            features.classes.push(Class { pattern, images: images.len() as u32, count });
            features.starts.push(features.numbers.len());
        }
        features
    }

    /// Some of the classes, in the order of their places.
    pub fn of(&self, places: &[usize]) -> Self {
        let mut features = Self {
            classes: places.iter().map(|&place| self.classes[place]).collect(),
            positions: self.positions,
            expanded: self.expanded,
            starts: vec![0],
            numbers: Vec::new(),
            values: Vec::new(),
        };
        for &place in places {
            let entries = self.starts[place]..self.starts[place + 1];
            features.numbers.extend(&self.numbers[entries.clone()]);
            features.values.extend(&self.values[entries]);
            features.starts.push(features.numbers.len());
        }
        features
    }

    /// The number of positions.
    pub const fn positions(&self) -> usize {
        self.positions
    }

    /// The positions in which a class is not 0, and its values there.
    pub fn entries(&self, class: usize) -> impl Iterator<Item = (usize, f64)> {
        let entries = self.starts[class]..self.starts[class + 1];
        let numbers = self.numbers[entries.clone()].iter().map(|&number| number as usize);
        numbers.zip(self.values[entries].iter().map(|&value| f64::from(value)))
    }

    /// By position: the sum of all classes by their weights.
    pub fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.positions];
        for (class, &weight) in weights.iter().enumerate() {
            if weight != 0.0 {
                self.entries(class).for_each(|(number, value)| sums[number] += weight * value);
            }
        }
        sums
    }

    /// By class: the sum of its values by those of the positions.
    pub fn products(&self, targets: &[f64]) -> Vec<f64> {
        let product = |class| self.entries(class).map(|(number, value)| value * targets[number]).sum();
        (0..self.classes.len()).map(product).collect()
    }

    /// Figures of the classes as the paper's tables have them.
    pub fn figures(&self) -> Figures {
        let patterns: u64 = self.classes.iter().map(|class| u64::from(class.images)).sum();
        let facts: u64 = self.classes.iter().map(|class| u64::from(class.images * class.pattern.length())).sum();
        let matches: u64 = self.classes.iter().map(|class| u64::from(class.images) * class.count).sum();
        Figures {
            classes: self.classes.len() as u64,
            patterns,
            length: facts as f64 / patterns.max(1) as f64,
            matches: matches as f64 / self.expanded.max(1) as f64,
        }
    }
}

/// What Table 2 of the paper says of a set of patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Figures {
    /// Classes of images.
    pub classes: u64,
    /// Patterns.
    pub patterns: u64,
    /// The mean number of facts of a pattern.
    pub length: f64,
    /// How many patterns match a position, on average.
    pub matches: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::patterns::tests::{frame, positions};
    use halfply_engine::patterns::{Content, View};

    #[test]
    fn values_are_those_of_matching_from_scratch() {
        let patterns: Vec<Pattern> = [
            vec![(Content::First, 0)],
            vec![(Content::First, 0), (Content::Second, 1)],
            vec![(Content::Blank, 9), (Content::First, 18), (Content::Second, 27)],
            vec![(Content::First, 2), (Content::Second, 16)],
        ]
        .iter()
        .map(|facts| facts.iter().fold(Pattern::default(), |all, &(c, s)| all.with(c, s).unwrap()))
        .collect();
        for view in [View::Players, View::Mover] {
            let (frame, positions) = (frame(view), positions(150));
            let columns = Columns::new(&frame, &positions);
            let features = Features::new(&frame, &columns, &patterns, [0.0, 1.0]);
            // c1 for the first and a3 for the second player is its own opposite, mirrored in the diagonal.
            assert_eq!(features.classes.len(), if view == View::Players { 3 } else { 4 });
            for (class, &Class { pattern, images, count }) in features.classes.iter().enumerate() {
                let all = frame.images(pattern).unwrap();
                assert_eq!(all.len(), images as usize);
                let mut values = vec![0.0; positions.len()];
                features.entries(class).for_each(|(number, value)| values[number] = value);
                for (position, value) in positions.iter().zip(values) {
                    let matching = all.iter().filter(|(image, _)| image.is_part_of(*position));
                    assert_eq!(matching.map(|&(_, sign)| f64::from(sign)).sum::<f64>(), value);
                }
                let images = |position: &Pattern| frame.ties().iter().map(|s| s.image(*position)).collect::<Vec<_>>();
                let expanded = positions.iter().flat_map(images);
                assert_eq!(expanded.filter(|position| pattern.is_part_of(*position)).count() as u64, count);
            }
            let some = features.of(&[2, 0]);
            assert_eq!(some.classes[1], features.classes[0]);
            assert_eq!(some.products(&vec![1.0; 150])[0], features.products(&vec![1.0; 150])[2]);
            assert_eq!(some.sums(&[0.0, 2.0]), features.sums(&[2.0]));
        }
    }

    #[test]
    fn patterns_outside_the_window_are_left_out() {
        let (frame, positions) = (frame(View::Players), positions(100));
        let columns = Columns::new(&frame, &positions);
        let corner = Pattern::default().with(Content::First, 0).unwrap();
        let edge = corner.with(Content::First, 1).unwrap();
        let both = Features::new(&frame, &columns, &[corner, edge], [0.0, 1.0]);
        let [often, rarely] = [0, 1].map(|class| both.classes[class].count as f64 / columns.expanded() as f64);
        assert!(often > rarely);
        let middle = (often + rarely) / 2.0;
        assert_eq!(Features::new(&frame, &columns, &[corner, edge], [0.0, middle]).classes, both.classes[1..]);
        assert_eq!(Features::new(&frame, &columns, &[corner, edge], [middle, 1.0]).classes, both.classes[..1]);
        let figures = both.figures();
        assert_eq!((figures.classes, figures.patterns, figures.length), (2, 8 + 16, 40.0 / 24.0));
        // A corner is of the first or of the second player or blank.
        assert!(figures.matches > 1.0 && figures.matches < 4.0 + 8.0, "{figures:?}");
    }
}
