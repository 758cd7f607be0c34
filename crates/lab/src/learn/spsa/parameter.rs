// SPDX-License-Identifier: GPL-3.0-or-later
//! A parameter that games tune, and how far its values go.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

/// A parameter as OpenBench writes it: `Name,int,120,50,300,20,0.002`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name: a UCI option, a parameter of the full search, or a feature.
    pub name: String,
    /// Whether its values are integers.
    pub is_whole: bool,
    /// The value to begin with.
    pub start: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// How far the two sides of the last iteration are from the value between them.
    pub step: f64,
    /// The learning rate of the last iteration.
    pub rate: f64,
}

/// A text that is no parameter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}; a parameter is written NAME,int,VALUE,MIN,MAX,STEP,RATE (or float for int)")]
pub struct ParameterError {
    reason: String,
}

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let refuse = |reason: String| ParameterError { reason };
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = &fields[..] else {
            return Err(refuse("there are no numbers".to_owned()));
        };
        let [start, min, max, step, rate] = numbers else {
            return Err(refuse(format!("there are {} numbers, not five", numbers.len())));
        };
        let is_whole = match *kind {
            "int" => true,
            "float" => false,
            other => return Err(refuse(format!("{other:?} is neither int nor float"))),
        };
        let number = |text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| refuse(format!("{text:?} is not a number")))
        };
        let (start, min, max) = (number(start)?, number(min)?, number(max)?);
        let (step, rate) = (number(step)?, number(rate)?);
        if name.is_empty() {
            return Err(refuse("it has no name".to_owned()));
        }
        if min >= max || !(min..=max).contains(&start) {
            return Err(refuse(format!("the value {start} must be from {min} to {max}, the greater one")));
        }
        if is_whole && [start, min, max].iter().any(|number| number.fract() != 0.0) {
            return Err(refuse("the values of an int are integers".to_owned()));
        }
        if step <= 0.0 || rate <= 0.0 {
            return Err(refuse("step and rate must be greater than 0".to_owned()));
        }
        if is_whole && step < 0.5 {
            return Err(refuse(format!(
                "with a step of {step} both sides of an int would often be equal: at least 0.5"
            )));
        }
        Ok(Self { name: (*name).to_owned(), is_whole, start, min, max, step, rate })
    }
}

impl Parameter {
    /// A value as it is played: in the range, and of an int an integer.
    pub fn played(&self, value: f64) -> f64 {
        let value = if self.is_whole { value.round() } else { value };
        value.clamp(self.min, self.max)
    }
}

/// As it is read.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, is_whole, start, min, max, step, rate } = self;
        let kind = if *is_whole { "int" } else { "float" };
        write!(f, "{name},{kind},{start},{min},{max},{step},{rate}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_openbench_are_read_and_written() {
        for text in ["Razor Margin,int,120,50,300,20,0.002", "Ud-Rdt,float,0.75,0.1,1.5,0.1,0.002", "X,int,-3,-9,0,1,1"]
        {
            assert_eq!(text.parse::<Parameter>().unwrap().to_string(), text);
        }
        let spaced: Parameter = " null_move_depth , int, 200, 100, 1000, 45, 0.002".parse().unwrap();
        assert_eq!((spaced.name.as_str(), spaced.start), ("null_move_depth", 200.0));
        assert_eq!(
            [-1.0, 120.4, 2e9].map(|value| Parameter { min: 5.0, ..spaced.clone() }.played(value)),
            [5.0, 120.0, 1000.0]
        );
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        for (text, reason) in [
            ("", "no numbers"),
            ("X,int,1,2", "2 numbers, not five"),
            ("X,bool,1,0,2,1,1", "neither int nor float"),
            ("X,int,a,0,2,1,1", "\"a\" is not a number"),
            ("X,float,1,0,inf,1,1", "\"inf\" is not a number"),
            ("X,int,1,2,0,1,1", "must be from 2 to 0"),
            ("X,int,5,0,2,1,1", "the value 5 must be from 0 to 2"),
            ("X,int,0.5,0,2,1,1", "integers"),
            ("X,int,1,0,2,0,1", "greater than 0"),
            ("X,int,1,0,2,1,-1", "greater than 0"),
            ("X,int,1,0,2,0.3,1", "at least 0.5"),
            (",int,1,0,2,1,1", "it has no name"),
        ] {
            let error = text.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("NAME,int"), "{text}: {error}");
        }
    }
}
