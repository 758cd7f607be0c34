// SPDX-License-Identifier: GPL-3.0-or-later
//! The addresses of the server, and what each answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{self, Next};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::asked::{Asked, LARGEST_BODY, Query, body, is_declared};
use super::assets::{self, Asset};
use super::event::{Audience, Event, Prepared};
use super::game::{self, GameSoFar};
use super::open::{LARGEST_FILE, OpenRequest, Opened};
use super::refusal::Refusal;
use super::search;
use super::shared::Shared;
use super::{open, review, table, watch};
use halfply_engine::with_game;
use halfply_lab::run::Stop;

/// The longest time that a request may take to arrive and be answered, except the events of a search.
const LONGEST_REQUEST: Duration = Duration::from_secs(10);

/// How long a search waits for another one to end.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a page of this server may load and do.
const PAGE_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
                           frame-ancestors 'none'";

/// All addresses.
pub fn router(shared: Shared) -> Router {
    let router = assets::ALL.iter().fold(Router::new(), |router, asset| router.route(asset.path, file(asset)));
    router
        .route("/api/games", get(|State(Shared { games, .. })| async { ([(CONTENT_TYPE, "application/json")], games) }))
        .route("/api/position", answer(|game: GameSoFar| with_game!(game.game, G => game::show::<G>(&game))))
        .route("/api/costs", answer(|request| table::costs(&request)))
        .route("/api/table", answer(|request| table::show(&request)))
        .route("/api/open", post(open_file).layer(DefaultBodyLimit::max(LARGEST_FILE)))
        .route("/api/search", run(search::prepare))
        .route("/api/review", run(review::prepare))
        .merge(watch::router())
        .fallback(|| async { Refusal::Unknown })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(shared.clone(), admit))
        .with_state(shared)
}

/// A file of the page.
fn file(asset: &'static Asset) -> MethodRouter<Shared> {
    get(move || async move { ([(CONTENT_TYPE, asset.kind)], asset.text) })
}

/// Answers a request for a value that is computed at once.
fn answer<T, R>(compute: fn(T) -> Result<R, Refusal>) -> MethodRouter<Shared>
where
    T: DeserializeOwned + Send + 'static,
    R: Serialize + 'static,
{
    post(move |Asked(request): Asked<T>| async move { compute(request).map(Json) })
}

/// Refuses foreign and slow requests, and adds the headers that all answers have.
async fn admit(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.check(request.headers()) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match tokio::time::timeout(LONGEST_REQUEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refusal::TooSlow.into_response(),
        },
    };
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // Another version of the program has other files under the same names.
        (CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Reads a game of a file, where other requests do not wait for it.
async fn open_file(Query(asked): Query<OpenRequest>, request: Request) -> Result<Json<Opened>, Refusal> {
    if !is_declared(&request, "application/octet-stream") {
        return Err(Refusal::NoFile);
    }
    let file = body(request, &(), LARGEST_FILE).await?;
    let opened = tokio::task::spawn_blocking(move || open::open(&file, &asked));
    // A panic in the reader ends its request only.
    opened.await.unwrap_or(Err(Refusal::Unknown)).map(Json)
}

/// Answers a request for a search, or for many of them.
fn run<T: DeserializeOwned + Send + 'static>(prepare: fn(T) -> Result<Prepared, Refusal>) -> MethodRouter<Shared> {
    post(move |State(shared): State<Shared>, Asked(request): Asked<T>| run_search(shared, move || prepare(request)))
}

/// Runs a search, and sends what it reports as events. It stops if the browser closes the connection.
async fn run_search(
    shared: Shared,
    prepare: impl FnOnce() -> Result<Prepared, Refusal>,
) -> Result<impl IntoResponse, Refusal> {
    // The search that the page has just stopped may need a moment to end.
    let permit = tokio::time::timeout(PATIENCE, Arc::clone(&shared.slots).acquire_owned()).await;
    let permit = permit.ok().and_then(Result::ok).ok_or(Refusal::Busy(shared.searches))?;
    let search = prepare()?;
    // A search reports a bounded number of events, so the channel needs no bound.
    let (sender, receiver) = unbounded_channel();
    let mut listener = Listener { sender, stop: shared.stop.clone(), _permit: permit };
    tokio::task::spawn_blocking(move || search(&mut listener));
    Ok(Sse::new(Events(receiver)).keep_alive(KeepAlive::default()))
}

/// The browser that waits for the events of a search. The permit is returned when the search ends.
struct Listener {
    sender: UnboundedSender<Event>,
    stop: Stop,
    _permit: OwnedSemaphorePermit,
}

impl Audience for Listener {
    fn hear(&mut self, event: Event) {
        // A closed connection ends the search at its next look.
        let _ = self.sender.send(event);
    }

    fn is_gone(&self) -> bool {
        self.sender.is_closed() || self.stop.is_raised()
    }
}

/// The events of a search as a stream.
struct Events(UnboundedReceiver<Event>);

impl futures_core::Stream for Events {
    type Item = Result<SseEvent, Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        // Plain data is always written as JSON; should it not be, an empty event does no harm.
        let written = |event: Event| Ok(SseEvent::default().json_data(&event).unwrap_or_default());
        self.0.poll_recv(context).map(|event| event.map(written))
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
