// SPDX-License-Identifier: GPL-3.0-or-later
//! Samples in files: a fixed number of bytes each, little-endian.

use thiserror::Error;

use halfply_engine::features::AtomSet;
use halfply_engine::search::control::{COUNT, Sample};

/// Bytes of a sample: the terms, 16 bits each; the atoms; depth, number and reduction, 16 bits each; the outcome.
pub const SIZE: usize = 2 * COUNT + 8 + 3 * 2 + 1;

/// Stands for a move that would have been skipped.
const SKIPPED: i16 = -1;

/// A file that is not one of samples.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SamplesError {
    /// Its length is wrong.
    #[error("{0} bytes, and samples have {SIZE} each; was the file cut off?")]
    Size(usize),
    /// A sample makes no sense.
    #[error("sample {0} is damaged")]
    Sample(usize),
}

/// Adds a sample's bytes.
pub fn write(sample: &Sample, bytes: &mut Vec<u8>) {
    let small = |number: i32| (number.clamp(i16::MIN.into(), i16::MAX.into()) as i16).to_le_bytes();
    bytes.extend(sample.values.iter().flat_map(|&value| small(value)));
    bytes.extend(sample.atoms.0.to_le_bytes());
    bytes.extend(small(sample.depth));
    bytes.extend(small(sample.index as i32));
    bytes.extend(small(sample.reduction.unwrap_or(SKIPPED.into())));
    bytes.push(sample.raised.into());
}

/// The samples of a file.
///
/// # Errors
/// If it was cut off or damaged.
pub fn read(bytes: &[u8]) -> Result<Vec<Sample>, SamplesError> {
    let (samples, []) = bytes.as_chunks::<SIZE>() else { return Err(SamplesError::Size(bytes.len())) };
    let sample = |(index, bytes): (usize, &[u8; SIZE])| of_bytes(bytes).ok_or(SamplesError::Sample(index));
    samples.iter().enumerate().map(sample).collect()
}

fn of_bytes(bytes: &[u8; SIZE]) -> Option<Sample> {
    let (values, rest) = bytes.split_first_chunk::<{ 2 * COUNT }>()?;
    let (atoms, rest) = rest.split_first_chunk::<8>()?;
    let mut small = values.as_chunks::<2>().0.iter().map(|&pair| i32::from(i16::from_le_bytes(pair)));
    let mut numbers = rest.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
    Some(Sample {
        values: std::array::from_fn(|_| small.next().unwrap_or_default()),
        atoms: AtomSet(u64::from_le_bytes(*atoms)),
        depth: numbers.next()?.into(),
        index: usize::try_from(numbers.next()?).ok()?,
        reduction: Some(numbers.next()?).filter(|&reduction| reduction != SKIPPED).map(i32::from),
        raised: match rest.last()? {
            0 => false,
            1 => true,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_they_were_written() {
        let sample = |reduction, raised| Sample {
            values: std::array::from_fn(|index| 37 * index as i32 - 200),
            atoms: AtomSet(1 << 63 | 5),
            depth: 725,
            index: 41,
            reduction,
            raised,
        };
        let samples = [sample(Some(120), true), sample(None, false), sample(Some(0), false)];
        let mut bytes = Vec::new();
        samples.iter().for_each(|sample| write(sample, &mut bytes));
        assert_eq!(bytes.len(), 3 * SIZE);
        assert_eq!(read(&bytes).unwrap(), samples);
        assert_eq!(read(&bytes[1..]), Err(SamplesError::Size(3 * SIZE - 1)));
        bytes[2 * SIZE - 1] = 2;
        assert_eq!(read(&bytes), Err(SamplesError::Sample(1)));
    }
}
