// SPDX-License-Identifier: GPL-3.0-or-later
//! The addresses about runs: their list, what each shows, its games and its files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::mpsc::{Sender, channel};

use super::asked::Query;
use super::bodies;
use super::refusal::Refusal;
use super::runs::{Runs, Text};
use super::shared::Shared;

/// How many pages may watch runs at once.
pub const MOST_WATCHERS: usize = 128;

/// How often a page that watches is told what is new.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// How often something is sent although nothing is new, so that a page that has gone is noticed.
const KEPT_ALIVE: Duration = Duration::from_secs(15);

/// What a report of a run may load and do: nothing but its own style. It has no scripts, so it may have the origin of the page
/// that shows it in a frame and asks how high it is.
pub const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                                 frame-ancestors 'self'; sandbox allow-same-origin allow-downloads \
                                 allow-top-navigation-by-user-activation";

/// The addresses.
pub fn router() -> Router<Shared> {
    Router::new()
        .route("/api/runs/events", get(watch))
        .route("/api/runs/games", get(games))
        .route("/api/runs/game", get(game))
        .route("/api/runs/report", get(report))
        .route("/files/{*path}", get(file))
}

/// What a page asks about.
#[derive(Debug, Deserialize)]
struct Question {
    /// The run; none for the list of all.
    run: Option<String>,
    /// The place of a game in its journal, or of the first of several.
    #[serde(default)]
    at: u64,
}

impl Shared {
    fn runs(&self) -> Result<Arc<Runs>, Refusal> {
        self.runs.clone().ok_or(Refusal::NoRuns)
    }
}

/// Reads files where other requests do not wait for it.
async fn read<T: Send + 'static>(
    shared: &Shared,
    read: impl FnOnce(&Runs) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let runs = shared.runs()?;
    // A panic in the reader ends its request only.
    tokio::task::spawn_blocking(move || read(&runs)).await.unwrap_or(Err(Refusal::Unknown))
}

async fn games(State(shared): State<Shared>, Query(question): Query<Question>) -> Result<impl IntoResponse, Refusal> {
    let Question { run, at } = question;
    read(&shared, move |runs| runs.games(&run.unwrap_or_default(), at)).await.map(Json)
}

async fn game(State(shared): State<Shared>, Query(question): Query<Question>) -> Result<impl IntoResponse, Refusal> {
    let Question { run, at } = question;
    read(&shared, move |runs| runs.game(&run.unwrap_or_default(), at)).await.map(Json)
}

/// The report of a tournament that has written none. It is shown as others are.
async fn report(State(shared): State<Shared>, Query(question): Query<Question>) -> Result<impl IntoResponse, Refusal> {
    let page = read(&shared, move |runs| runs.report(&question.run.unwrap_or_default())).await?;
    Ok(([(CONTENT_SECURITY_POLICY, REPORT_POLICY)], Html(page)))
}

/// A result of a run. Its page is shown without scripts, as a page of another site.
async fn file(State(shared): State<Shared>, Path(path): Path<String>) -> Result<Response, Refusal> {
    let file = read(&shared, move |runs| runs.file(&path)).await?;
    let mut response = bodies::file(file.kind, file.file, file.length);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY));
    Ok(response)
}

/// Sends what a run shows, or the list of all, now and whenever it changes.
async fn watch(State(shared): State<Shared>, Query(question): Query<Question>) -> Result<impl IntoResponse, Refusal> {
    let permit = Arc::clone(&shared.watchers).try_acquire_owned().map_err(|_| Refusal::Crowded(MOST_WATCHERS))?;
    let run = question.run;
    let ask = move |runs: &Runs| match &run {
        None => Ok(runs.list()),
        Some(run) => runs.text(run),
    };
    // A run that does not exist is refused at once.
    let mut last: Text = read(&shared, ask.clone()).await?;
    // A page that reads slowly gets the newest and not all that it has missed.
    let (sender, receiver) = channel(1);
    tokio::spawn(async move {
        let _permit = permit;
        let (mut is_new, mut told) = (true, Instant::now());
        while !shared.stop.is_raised() {
            if is_new || told.elapsed() >= KEPT_ALIVE {
                if send(&sender, is_new.then_some(&last)).await.is_none() {
                    return;
                }
                told = Instant::now();
            }
            tokio::select! {
                () = sender.closed() => return,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {}
            }
            // A run that is removed stays as it was last seen.
            let now = read(&shared, ask.clone()).await.unwrap_or_else(|_| last.clone());
            is_new = now != last;
            last = now;
        }
    });
    Ok(bodies::events(receiver))
}

/// Sends a text as an event, or else a comment, which the page does not see. None if nobody listens any more.
async fn send(sender: &Sender<Bytes>, text: Option<&Text>) -> Option<()> {
    let Some(text) = text else { return sender.send(Bytes::from_static(b":\n\n")).await.ok() };
    // JSON has no line feeds.
    for part in [Bytes::from_static(b"data: "), text.clone(), Bytes::from_static(b"\n\n")] {
        sender.send(part).await.ok()?;
    }
    Some(())
}
