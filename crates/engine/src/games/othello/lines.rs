// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of Othello: what stands on every line of four squares or more and on the 3x3 squares in each corner,
//! as in LOGISTELLO (Buro 1998, *From Simple Features to Sophisticated Evaluation Functions*), the number of empty squares,
//! and the number of moves.
//!
//! Lines and corners that become each other when the board is turned or mirrored share their inputs, and so do the two
//! directions in which a line can be read. So the eight images of a position are worth the same.

use super::Othello;
use super::board::{FILE_A, mobility};
use crate::evaluation::network::{Active, Inputs};
use crate::game::Side;

/// The shapes: rows (and files) by their distance from the edge, then diagonals from the longest, then corners.
const SHAPES: [Shape; 10] = [
    Shape::line(8),
    Shape::line(8),
    Shape::line(8),
    Shape::line(8),
    Shape::line(8),
    Shape::line(7),
    Shape::line(6),
    Shape::line(5),
    Shape::line(4),
    Shape { squares: 9, is_corner: true },
];

/// The shape of the longest diagonals.
const DIAGONAL: usize = 4;

/// The shape of corners.
const CORNER: usize = 9;

/// What may stand on the squares of all shapes.
const STATES: usize = {
    let (mut sum, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        sum += SHAPES[shape].states();
        shape += 1;
    }
    sum
};

/// The inputs of states, by shape, and how many inputs there are: a state and its image share one.
static CLASSES: ([u16; STATES], u16) = {
    let mut classes = [0; STATES];
    let (mut shape, mut first, mut next) = (0, 0, 0);
    while shape < SHAPES.len() {
        let mut state = 0;
        while state < SHAPES[shape].states() {
            let image = SHAPES[shape].image(state);
            if image < state {
                classes[first + state] = classes[first + image];
            } else {
                classes[first + state] = next;
                next += 1;
            }
            state += 1;
        }
        first += SHAPES[shape].states();
        shape += 1;
    }
    (classes, next)
};

/// The first of the inputs for the number of empty squares, 0 to 60.
const EMPTY: u32 = {
    // Half of the states of a shape have another image; the others are their own.
    let (mut sum, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        let own = if SHAPES[shape].is_corner { 6 } else { SHAPES[shape].squares.div_ceil(2) };
        sum += (SHAPES[shape].states() + 3_usize.pow(own)) / 2;
        shape += 1;
    }
    sum as u32
};

/// The first of the inputs for the number of squares on which the side may play.
const MOVES: u32 = EMPTY + 61;

/// Numbers of moves from this one on share an input.
const MOST_MOVES: u32 = 24;

/// Squares whose discs are seen together.
#[derive(Clone, Copy)]
struct Shape {
    squares: u32,
    /// Whether it is the 3x3 squares of a corner, by row; else a line.
    is_corner: bool,
}

impl Shape {
    const fn line(squares: u32) -> Self {
        Self { squares, is_corner: false }
    }

    /// What may stand on it: one ternary digit for each square.
    const fn states(self) -> usize {
        3_usize.pow(self.squares)
    }

    /// The state of a line that is read backwards, and of a corner whose rows and files change places.
    const fn image(self, state: usize) -> usize {
        if self.is_corner {
            const fn column(row: usize) -> usize {
                row % 3 + row / 3 % 3 * 27 + row / 9 * 729
            }
            return column(state % 27) + 3 * column(state / 27 % 27) + 9 * column(state / 729);
        }
        const fn backwards(four: usize) -> usize {
            four % 3 * 27 + four / 3 % 3 * 9 + four / 9 % 3 * 3 + four / 27
        }
        let rest = self.squares - 4;
        backwards(state % 81) * 3_usize.pow(rest) + backwards(state / 81) / 3_usize.pow(4 - rest)
    }
}

/// One of the places where a shape lies on the board.
#[derive(Clone, Copy)]
struct Place {
    /// How its squares become the lowest bits of a number: shifted down, masked, multiplied and shifted down again.
    down: u32,
    mask: u64,
    factor: u64,
    shift: u32,
    /// Which of [`DIGITS`] has its squares in the shape's order.
    digits: usize,
    /// Where the states of its shape begin.
    first: usize,
}

impl Place {
    /// Where a shape lies whose squares are these when shifted down.
    const fn new(shape: usize, down: u32, mask: u64, factor: u64, shift: u32) -> Self {
        let (mut first, mut before) = (0, 0);
        while before < shape {
            first += SHAPES[before].states();
            before += 1;
        }
        Self { down, mask, factor, shift, digits: 0, first }
    }

    /// The row or file that is so far from the first one.
    const fn straight(number: u32, is_row: bool) -> Self {
        let shape = if number < 4 { number } else { 7 - number } as usize;
        if is_row {
            Self::new(shape, 8 * number, 0xFF, 1, 0)
        } else {
            Self::new(shape, number, FILE_A, 0x0102_0408_1020_4080, 56)
        }
    }

    /// The diagonal that is `distance` (-4 to 4) files to the right of the one through a1, or of the one through h1.
    const fn diagonal(distance: i32, is_rising: bool) -> Self {
        let (mut squares, mut row) = (0, 0);
        while row < 8 {
            let file = if is_rising { 7 - row + distance } else { row + distance };
            if file >= 0 && file < 8 {
                squares |= 1 << (8 * row + file);
            }
            row += 1;
        }
        let first_file = if distance > 0 { distance as u32 } else { 0 };
        Self::new(DIAGONAL + distance.unsigned_abs() as usize, 0, squares, FILE_A, 56 + first_file)
    }

    /// The corner on the left or right, of the first rows or the last.
    const fn corner(is_right: bool, is_last: bool) -> Self {
        let down = if is_right { 5 } else { 0 } + if is_last { 40 } else { 0 };
        let place = Self::new(CORNER, down, 0x07_0707, 1 << 61 | 1 << 50 | 1 << 39, 55);
        Self { digits: 1 + is_right as usize + 2 * is_last as usize, ..place }
    }

    /// The bits of a board on its squares.
    #[inline]
    const fn bits(&self, board: u64) -> usize {
        ((board >> self.down & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }

    /// The input of what stands there.
    #[inline]
    fn input(&self, [own, other]: [u64; 2]) -> u32 {
        let digits = &DIGITS[self.digits];
        let state = digits[self.bits(own)] + 2 * digits[self.bits(other)];
        CLASSES.0[self.first + usize::from(state)].into()
    }
}

/// The value of the bits of a board as ternary digits: of a line, then of the corner at a1, h1, a8 and h8, whose lowest
/// digit is the corner itself.
static DIGITS: [[u16; 512]; 5] = {
    let mut digits = [[0; 512]; 5];
    let mut table = 0;
    while table < 5 {
        let mut bits = 1;
        while bits < 512_usize {
            let lowest = bits.trailing_zeros();
            let digit = if table == 0 {
                lowest
            } else {
                // The last row stands in the lowest bits.
                let (file, row) = (lowest % 3, 2 - lowest / 3);
                let (is_right, is_last) = ((table - 1) % 2 == 1, table > 2);
                (if is_right { 2 - file } else { file }) + 3 * if is_last { 2 - row } else { row }
            };
            digits[table][bits] = digits[table][bits & (bits - 1)] + 3_u16.pow(digit);
            bits += 1;
        }
        table += 1;
    }
    digits
};

/// Rows, files, diagonals and corners.
static PLACES: [Place; 38] = {
    let mut places = [Place::corner(false, false); 38];
    let mut number = 0;
    while number < 8 {
        places[number as usize] = Place::straight(number, true);
        places[8 + number as usize] = Place::straight(number, false);
        number += 1;
    }
    let mut distance = -4;
    while distance <= 4 {
        places[(20 + distance) as usize] = Place::diagonal(distance, false);
        places[(29 + distance) as usize] = Place::diagonal(distance, true);
        distance += 1;
    }
    places[34] = Place::corner(false, false);
    places[35] = Place::corner(true, false);
    places[36] = Place::corner(false, true);
    places[37] = Place::corner(true, true);
    places
};

/// The board as a side sees it: its own discs and the opponent's. Neither side has an end of its own.
const fn seen([first, second]: [u64; 2], side: Side) -> [u64; 2] {
    if matches!(side, Side::White) { [first, second] } else { [second, first] }
}

/// The inputs for the number of empty squares, and of moves.
#[inline]
fn counts([own, other]: [u64; 2]) -> [u32; 2] {
    let moves = mobility(own, other).count_ones();
    // The four squares in the centre are never empty.
    [EMPTY + (own | other).count_zeros().min(60), MOVES + moves.min(MOST_MOVES)]
}

impl Inputs for Othello {
    const INPUTS: usize = (MOVES + MOST_MOVES + 1) as usize;

    /// Who sees what one side has sees what the other has.
    const VIEWS: usize = 1;

    const LOGIT: f64 = 1_000.0;

    /// Mirror images have the same inputs already.
    fn mirrored(input: u32) -> u32 {
        input
    }

    #[inline]
    fn active(boards: &[u64; 2], side: Side) -> Active {
        let seen = seen(*boards, side);
        PLACES.iter().map(|place| place.input(seen)).chain(counts(seen)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::bits::ones;
    use crate::game::{Notation, Pieces, Symmetry};
    use crate::games::random_game;

    fn sorted(inputs: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut inputs: Vec<u32> = inputs.into_iter().collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn every_input_is_one_of_a_state_or_a_number() {
        assert_eq!(u32::from(CLASSES.1), EMPTY);
        assert_eq!(Othello::INPUTS, 28_589);
        for shape in SHAPES {
            for state in 0..shape.states() {
                assert_eq!(shape.image(shape.image(state)), state);
            }
        }
    }

    /// The states of all places, looked up square by square.
    #[test]
    fn the_bits_of_a_place_are_its_squares() {
        for (number, place) in PLACES.iter().enumerate() {
            let found: Vec<u32> = ones(place.mask << place.down).collect();
            assert!((4..=9).contains(&found.len()), "{number}");
            let bits: Vec<usize> = found.iter().map(|&square| place.bits(1 << square)).collect();
            assert!(bits.iter().all(|bits| bits.is_power_of_two() && bits.ilog2() < found.len() as u32), "{number}");
            assert_eq!(bits.iter().sum::<usize>(), (1 << found.len()) - 1, "{number}: two squares share a bit");
            assert_eq!(place.bits(u64::MAX), (1 << found.len()) - 1, "{number}");
            assert_eq!(place.bits(!(place.mask << place.down)), 0, "{number}");
        }
        // Every square is in a row, a file and one to four others.
        for square in 0..64 {
            let places = PLACES.iter().filter(|place| place.mask << place.down >> square & 1 == 1).count();
            assert!((3..=5).contains(&places), "{square}: {places}");
        }
    }

    #[test]
    fn lines_and_corners_are_told_apart_up_to_symmetry() {
        let input = |place: usize, own: &[u32], other: &[u32]| {
            let board = |squares: &[u32]| squares.iter().map(|square| 1 << square).sum();
            PLACES[place].input([board(own), board(other)])
        };
        // a1 and b1 on the first row are a1 and a2 on the first file, and h1 and g1 the other way round.
        assert_eq!(input(0, &[0], &[1]), input(8, &[0], &[8]));
        assert_eq!(input(0, &[0], &[1]), input(0, &[7], &[6]));
        assert_ne!(input(0, &[0], &[1]), input(0, &[1], &[0]));
        assert_ne!(input(0, &[0], &[1]), input(1, &[8], &[9]));
        // Corner, C-square and X-square of a1 and of h8.
        assert_eq!(input(34, &[0, 9], &[1]), input(37, &[63, 54], &[55]));
        assert_ne!(input(34, &[0, 9], &[1]), input(34, &[1, 9], &[0]));
    }

    #[test]
    fn images_have_the_same_inputs() {
        for seed in 0..4 {
            for position in random_game::<Othello>(seed).positions() {
                let [own, other] = Side::BOTH.map(|side| sorted(Othello::active(&Othello::boards(position), side)));
                for image in Othello::images(position) {
                    let exchanged = image.turn != position.turn;
                    let boards = Othello::boards(&image);
                    let expected = if exchanged { [&other, &own] } else { [&own, &other] };
                    for (side, expected) in Side::BOTH.into_iter().zip(expected) {
                        assert_eq!(sorted(Othello::active(&boards, side)), *expected, "{}", Othello::draw(&image));
                    }
                }
            }
        }
    }
}
