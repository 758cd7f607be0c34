use super::*;
use crate::base::mix::derive;
use crate::game::{Notation, Symmetry, legal_moves};
use crate::games::{Breakthrough, Chess, Othello};

/// A network with weights that show nothing but a seed.
fn network<G: Inputs>(units: usize, middle: usize, seed: u64) -> Network {
    let small = |place: u64, most: u64| (derive(seed, place) % (2 * most + 1)) as i32 - most as i32;
    let numbers = |offset: u64, count: usize, most: u64| -> Vec<i16> {
        (0..count as u64).map(|index| small(offset + index, most) as i16).collect()
    };
    let layer = |offset: u64, width: usize, before: usize| Dense {
        biases: (0..width as u64).map(|index| small(offset + index, 40_000)).collect(),
        weights: numbers(offset << 8, width * before, 200),
    };
    let layers = vec![layer(1 << 33, middle, G::VIEWS * units), layer(1 << 34, 1, middle)];
    let (biases, rows) = (numbers(1 << 32, units, 100), numbers(0, G::INPUTS * units, 150));
    Network::new::<G>(Weights { units, squared: false, biases, rows, layers }).unwrap()
}

/// Whatever the state holds, the value is that from scratch: the same state serves a walk through games at any ply.
fn the_sums_of_neighbours_change_no_value<G: Inputs + Notation>(units: usize, fen: &str) {
    let network = network::<G>(units, 16, 1);
    let mut state = Evaluation::<G>::start(&network);
    let start = G::parse_position(fen).unwrap();
    let mut position = start.clone();
    let mut values = Vec::new();
    for step in 0..4000 {
        let moves = legal_moves::<G>(&position);
        let random = derive(7, step);
        if moves.is_empty() {
            position = start.clone();
            continue;
        }
        G::play(&mut position, moves[(random % moves.len() as u64) as usize]);
        if G::decided(&position).is_some() {
            position = start.clone();
        }
        // Mostly one ply on, but not always: searches leave plies out and come back.
        let ply = if random >> 32 & 7 == 0 { (random >> 40) as usize % 20 } else { step as usize % 20 };
        let value = Evaluation::<G>::evaluate(&network, &mut state, ply, &position);
        assert_eq!(value, Evaluation::<G>::judge(&network, &position), "step {step}");
        values.push(value);
    }
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 100, "{} values", values.len());
}

#[test]
fn in_breakthrough_the_sums_of_neighbours_change_no_value() {
    the_sums_of_neighbours_change_no_value::<Breakthrough>(16, "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w");
    the_sums_of_neighbours_change_no_value::<Breakthrough>(32, "8/1pp3p1/5p2/2P1p2P/p3P3/1P3p2/6P1/2P5 b");
}

#[test]
fn in_chess_the_sums_of_neighbours_change_no_value() {
    the_sums_of_neighbours_change_no_value::<Chess>(64, "r3k2r/8/2n5/8/8/8/PPP3PP/R3K2R w KQkq - 0 1");
}

#[test]
fn in_othello_the_sums_of_neighbours_change_no_value() {
    the_sums_of_neighbours_change_no_value::<Othello>(
        32,
        "---------------------------OX------XO--------------------------- X",
    );
}

#[test]
fn products_of_any_number_are_summed() {
    let weights: Vec<i16> = (0..100).map(|index| (derive(5, index) as i16) / 2).collect();
    let values: Vec<i16> = (0..100).map(|index| (derive(6, index) % 257) as i16).collect();
    for length in 0..100 {
        let one_by_one: i32 = (0..length).map(|at| i32::from(weights[at]) * i32::from(values[at])).sum();
        assert_eq!(product(&weights[..length], &values[..length]), one_by_one, "{length}");
    }
}

#[test]
fn a_single_unit_behind_the_first_layer_sees_its_clamped_sums() {
    let units = 64;
    let numbers = |seed: u64, most: i16| -> Vec<i16> {
        (0..2 * units as u64).map(|index| (derive(seed, index) as i16) % most).collect()
    };
    let (weights, biases, rows) = (numbers(8, 900), vec![0; units], vec![0; Chess::INPUTS * units]);
    let layers = vec![Dense { biases: vec![-12_345], weights: weights.clone() }];
    let clamped = Weights { units, squared: false, biases, rows, layers };
    let squared = Weights { squared: true, ..clamped.clone() };
    let [clamped, squared] = [clamped, squared].map(|weights| Network::new::<Chess>(weights).unwrap());
    for (seed, most) in [(9, 600), (10, i16::MAX)] {
        let sums = numbers(seed, most);
        let sum_of = |value: fn(i32) -> i32| -> i32 {
            sums.iter().zip(&weights).map(|(&sum, &weight)| value(sum.clamp(0, 256).into()) * i32::from(weight)).sum()
        };
        let (lanes, _) = sums.as_chunks::<LANE>();
        let (own, other) = lanes.split_at(units / LANE);
        let output = |network: &Network| network.single(&network.weights.layers[0], &[own, other]);
        assert_eq!(output(&clamped), sum_of(|value| value) - 12_345);
        // A square is rounded to an eighth of a 256th of a 256th: 1 squared is 8,192.
        assert_eq!(output(&squared), (sum_of(|value| (value * value + 4) / 8) >> 5) - 12_345);
    }
}

/// A file of those weights with that second line.
fn with_shape(shape: &str, file: &[u8]) -> Vec<u8> {
    let (text_end, _) = file.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').nth(1).unwrap();
    [format!("{MAGIC}\n{shape}\n").as_bytes(), &file[text_end + 1..]].concat()
}

#[test]
fn a_file_of_one_set_of_inputs_has_the_same_weights_in_all_sets() {
    let whole = network::<Chess>(32, 1, 3).weights().clone();
    let one_set = whole.rows[..Chess::INPUTS_OF_SET * 32].to_vec();
    let repeated = Weights { rows: one_set.repeat(Chess::SETS), ..whole.clone() };
    let of_one_set = Weights { rows: one_set, ..whole }.to_bytes::<Chess>();
    let read = |inputs: usize| {
        let shape = format!(r#"{{"game":"chess","inputs":{inputs},"units":32,"layers":[1,1]}}"#);
        Network::read::<Chess>(&with_shape(&shape, &of_one_set))
    };
    assert_eq!(read(768).unwrap().weights(), &repeated);
    assert!(read(2 * 768).unwrap_err().to_string().contains("networks of chess have 3072 or 768 inputs"));
}

#[test]
fn squares_are_of_units_without_twins_that_the_output_sees() {
    let of_squares = |weights: &Weights| Weights { squared: true, ..weights.clone() };
    let [chess, breakthrough] = [network::<Chess>(32, 1, 3), network::<Breakthrough>(16, 1, 3)];
    let refused = of_squares(chess.weights());
    assert!(Network::new::<Chess>(refused).is_none(), "two layers follow");
    let only = |weights: &Weights| Weights { layers: weights.layers[..1].to_vec(), ..weights.clone() };
    let [chess, breakthrough] = [chess, breakthrough].map(|network| only(network.weights()));
    assert!(Network::new::<Chess>(of_squares(&chess)).is_some());
    assert!(Network::new::<Breakthrough>(of_squares(&breakthrough)).is_none(), "twins");
    assert!(Network::new::<Breakthrough>(breakthrough).is_some());
}

#[test]
fn images_of_a_position_are_worth_the_same() {
    fn check<G: Inputs + Notation + Symmetry>(units: usize, fens: &[&str]) {
        let network = network::<G>(units, 8, 3);
        for fen in fens {
            let position = G::parse_position(fen).unwrap();
            let value = Evaluation::<G>::judge(&network, &position);
            for image in G::images(&position) {
                assert_eq!(Evaluation::<G>::judge(&network, &image), value, "{}", G::format_position(&image));
            }
        }
    }
    check::<Breakthrough>(16, <Breakthrough as crate::games::RegisteredGame>::BENCH);
    check::<Chess>(32, <Chess as crate::games::RegisteredGame>::BENCH);
    check::<Othello>(32, <Othello as crate::games::RegisteredGame>::BENCH);
    // Mirrored left to right, which no image of chess is.
    let network = network::<Chess>(32, 8, 3);
    let value = |fen: &str| Evaluation::<Chess>::judge(&network, &Chess::parse_position(fen).unwrap());
    assert_eq!(value("1k6/1pp5/8/3N4/8/5P2/6PP/6K1 w - -"), value("6k1/5pp1/8/4N3/8/2P5/PP6/1K6 w - -"));
}

#[test]
fn a_network_is_computed_as_described() {
    // One unit of the second layer counts the own units that are on, with a weight of a half; the last one doubles it.
    let units = 32;
    let mut weights = Weights {
        units,
        squared: false,
        biases: vec![0; units],
        rows: vec![0; Chess::INPUTS * units],
        layers: vec![
            Dense { biases: vec![0], weights: [vec![128; units], vec![0; units]].concat() },
            Dense { biases: vec![100], weights: vec![512] },
        ],
    };
    // A white king on e1, where White sees the second set of inputs, switches on unit 0 halfway for White.
    weights.rows[(Chess::INPUTS_OF_SET + 5 * 64 + 4) * units] = 128;
    let network = Network::new::<Chess>(weights).unwrap();
    let position = Chess::parse_position("4k3/8/8/8/8/8/4P3/4K3 w - -").unwrap();
    // 0.5 · 0.5 · 2 + 100 / 65,536 logits.
    let logit = 0.5 + 100.0 / 65_536.0;
    assert_eq!(Evaluation::<Chess>::judge(&network, &position), (logit * Chess::LOGIT) as Score);
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let network = network::<Breakthrough>(16, 8, 5);
    let bytes = network.to_bytes::<Breakthrough>();
    let again = Network::read::<Breakthrough>(&bytes).unwrap();
    assert_eq!(again.weights(), network.weights());
    assert_eq!(again.identity(), network.identity());
    assert_ne!(again.identity(), self::network::<Breakthrough>(16, 8, 6).identity());
}

#[test]
fn what_is_no_network_is_refused_with_a_reason() {
    let good = network::<Breakthrough>(16, 8, 5).to_bytes::<Breakthrough>();
    let with_shape = |shape: &str| with_shape(shape, &good);
    for (bytes, reason) in [
        (b"format = 1\n".to_vec(), "begins with the line \"halfply network 1\""),
        (Vec::new(), "begins with the line"),
        (MAGIC.as_bytes().to_vec(), "begins with the line"),
        (format!("{MAGIC}\n").into_bytes(), "line 2: no shape"),
        (good[..good.len() - 1].to_vec(), "bytes of weights"),
        ([&good[..], b"x"].concat(), "bytes of weights"),
        (with_shape(r#"{"game":"chess","inputs":768,"units":32,"layers":[1]}"#), "for \"chess\", not for"),
        (with_shape(r#"{"game":"breakthrough","inputs":3920,"units":1000000000000,"layers":[1]}"#), "units"),
        (with_shape(r#"{"game":"breakthrough","inputs":3920,"units":0,"layers":[1]}"#), "units"),
        (with_shape(r#"{"game":"breakthrough","inputs":3920,"units":16,"layers":[]}"#), "bytes of weights"),
        (with_shape(r#"{"game":"breakthrough","inputs":3920,"units":16,"layers":[4,2]}"#), "bytes of weights"),
    ] {
        let error = Network::read::<Breakthrough>(&bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}, not {reason}");
    }
    assert!(Network::read::<Chess>(&good).unwrap_err().to_string().contains("not for \"chess\""));
}
