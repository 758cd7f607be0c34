// SPDX-License-Identifier: GPL-3.0-or-later
//! The addresses about runs: their list, what each shows, its games and its files.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, channel};

use super::http::Shared;
use super::refusal::Refusal;
use super::runs::Runs;

/// How many pages may watch runs at once.
pub const MOST_WATCHERS: usize = 128;

/// How often a page that watches is told what is new.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// What a report of a run may load and do: nothing but its own style.
pub const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox \
                             allow-top-navigation-by-user-activation";

/// The addresses.
pub fn router() -> Router<Shared> {
    Router::new()
        .route("/api/runs/events", get(watch))
        .route("/api/runs/games", get(games))
        .route("/api/runs/game", get(game))
        .route("/files/{*path}", get(file))
}

/// What a page asks about.
#[derive(Debug, Deserialize)]
struct Question {
    /// The run; none for the list of all.
    run: Option<String>,
    /// The number of a game, or of the first of several.
    #[serde(default)]
    number: usize,
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
    let Question { run, number } = question;
    read(&shared, move |runs| runs.games(&run.unwrap_or_default(), number)).await.map(Json)
}

async fn game(State(shared): State<Shared>, Query(question): Query<Question>) -> Result<impl IntoResponse, Refusal> {
    let Question { run, number } = question;
    read(&shared, move |runs| runs.game(&run.unwrap_or_default(), number)).await.map(Json)
}

/// A result of a run. Its page is shown without scripts, as a page of another site.
async fn file(State(shared): State<Shared>, Path(path): Path<String>) -> Result<Response, Refusal> {
    let file = read(&shared, move |runs| runs.file(&path)).await?;
    let headers = [(CONTENT_TYPE, file.kind), (CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    Ok((headers, file.contents).into_response())
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
    let mut last: Arc<str> = read(&shared, ask.clone()).await?;
    // A page that reads slowly gets the newest and not all that it has missed.
    let (sender, receiver) = channel(1);
    tokio::spawn(async move {
        let _permit = permit;
        let mut is_new = true;
        while !shared.stop.is_raised() {
            if is_new && sender.send(Arc::clone(&last)).await.is_err() {
                return;
            }
            tokio::select! {
                () = sender.closed() => return,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {}
            }
            // A run that is removed stays as it was last seen.
            let now = read(&shared, ask.clone()).await.unwrap_or_else(|_| Arc::clone(&last));
            // What has not changed is the same text in memory.
            is_new = !Arc::ptr_eq(&now, &last);
            last = now;
        }
    });
    Ok(Sse::new(Texts(receiver)).keep_alive(KeepAlive::default()))
}

/// Texts as events.
struct Texts(Receiver<Arc<str>>);

impl futures_core::Stream for Texts {
    type Item = Result<SseEvent, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|text| text.map(|text| Ok(SseEvent::default().data(&*text))))
    }
}
