// SPDX-License-Identifier: GPL-3.0-or-later
//! How far apart the two sides of an iteration are, and how much its result moves the values (Spall 1998,
//! "Implementation of the simultaneous perturbation algorithm for stochastic optimization").
//!
//! In iteration k of N the sides are c/k^gamma from the middle, and the result is weighed by a/(A + k)^alpha. As in
//! OpenBench, a parameter states both as they are in the last iteration: its step is the distance then, and its rate the
//! weight divided by the square of the step.

use super::Parameter;

/// The gain sequences of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// How many iterations there are.
    pub iterations: u32,
    /// How fast the weight falls.
    pub alpha: f64,
    /// How fast the distance falls.
    pub gamma: f64,
    /// A, as a share of the iterations: it keeps the first steps small.
    pub stability: f64,
}

impl Gains {
    /// How far the sides are from the middle in an iteration, counted from 1.
    pub fn distance(&self, parameter: &Parameter, iteration: u32) -> f64 {
        parameter.step * libm::pow(f64::from(self.iterations) / f64::from(iteration), self.gamma)
    }

    /// By how much a value moves for a point that one side scores more than the other.
    pub fn movement(&self, parameter: &Parameter, iteration: u32) -> f64 {
        let all = f64::from(self.iterations);
        let before = self.stability * all;
        let weight = parameter.rate
            * parameter.step
            * parameter.step
            * libm::pow((before + all) / (before + f64::from(iteration)), self.alpha);
        weight / self.distance(parameter, iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_iteration_has_the_step_and_the_rate_that_are_stated() {
        let parameter: Parameter = "X,int,120,50,300,20,0.002".parse().unwrap();
        let gains = Gains { iterations: 1000, alpha: 0.602, gamma: 0.101, stability: 0.1 };
        assert!((gains.distance(&parameter, 1000) - 20.0).abs() < 1e-9);
        assert!((gains.movement(&parameter, 1000) - 0.002 * 20.0).abs() < 1e-9);
        // 20 * 1000^0.101, and 0.002 * 400 * (1100 / 101)^0.602 over that.
        assert!((gains.distance(&parameter, 1) - 40.18).abs() < 0.01, "{}", gains.distance(&parameter, 1));
        assert!((gains.movement(&parameter, 1) - 0.0838).abs() < 0.001, "{}", gains.movement(&parameter, 1));
        // Distances fall; so does the product with the movement, which is the weight.
        let weight = |iteration| gains.distance(&parameter, iteration) * gains.movement(&parameter, iteration);
        for iteration in 1..1000 {
            assert!(gains.distance(&parameter, iteration) > gains.distance(&parameter, iteration + 1));
            assert!(weight(iteration) > weight(iteration + 1));
        }
    }
}
