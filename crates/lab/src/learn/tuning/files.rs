// SPDX-License-Identifier: GPL-3.0-or-later
//! The result files of a run of tuning.

use super::page::page;
use super::run::Ready;
use super::{Tuned, listing};
use crate::learn::files::{EXTENSIONS, GIVEN, MATCH, Origin, PAGE, PARAMETERS, ROUNDS};
use crate::learn::match_file;
use crate::report::data;
use halfply_engine::features::file;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Profile;

/// The files of a run that found this, with their names. Of the plain search there are no parameters, and nobody plays against
/// himself.
///
/// # Errors
/// Never: everything in them can be written.
pub fn files<G: RegisteredGame>(
    ready: &Ready<'_, G>,
    tuned: &Tuned,
    origin: Origin<'_>,
) -> Result<Vec<(&'static str, String)>, toml::ser::Error> {
    let (bed, recipe, vocabulary) = (ready.bed, ready.recipe, ready.bed.vocabulary());
    let made_by = origin.made_by(recipe.method.name(), bed);
    let summary = listing::summary(tuned, recipe);
    let [given, best] = &[&tuned.given, tuned.best()].map(|scored| scored.candidate.trimmed());
    let setup = &bed.searcher.setup;
    let is_full = setup.profile == Profile::Full;
    let mut comments = vec![made_by.clone(), summary.clone()];
    if is_full {
        comments.push(format!("it was found together with the parameters in {PARAMETERS}"));
    }
    let evaluation = bed.searcher.evaluation.name();
    // A line of a tournament defines no atoms.
    let given_file = given.table.own().map(|_| GIVEN);
    let players = [("given", given_file, given), ("tuned", Some(EXTENSIONS), best)];
    let mut files = vec![
        (ROUNDS, data::csv(&listing::all(tuned, recipe, &vocabulary))),
        (EXTENSIONS, file::render(&best.table, &comments, &vocabulary)),
        (PAGE, page(ready, tuned, origin)),
    ];
    if tuned.has_changed() {
        files.push((MATCH, match_file::of_candidates::<G>(&players, &ready.conditions, evaluation, &made_by)?));
    }
    if let Some(name) = given_file {
        files.push((name, file::render(&given.table, &[format!("given to what was {made_by}")], &vocabulary)));
    }
    if is_full {
        let together = format!("found together with the table in {EXTENSIONS}, for --profile full --parameters FILE");
        let text = format!("# {made_by}\n# {summary}\n# {together}\n{}", best.parameters.table(&setup.defaults));
        files.push((PARAMETERS, text));
    }
    Ok(files)
}
