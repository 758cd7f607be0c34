// SPDX-License-Identifier: GPL-3.0-or-later
//! Requests to the router, without a socket.

use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::http::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::*;
use crate::serve::catalog;
use crate::serve::guard::Guard;
use crate::serve::runs::Runs;
use crate::serve::watch::REPORT_POLICY;

const HOST: &str = "127.0.0.1:8080";

fn shared(searches: usize) -> Shared {
    Shared {
        guard: Arc::new(Guard::new(HOST.parse().unwrap(), &[])),
        games: catalog::json(&[]),
        slots: Arc::new(Semaphore::new(searches)),
        searches,
        stop: Stop::default(),
        runs: None,
        watchers: Arc::new(Semaphore::new(2)),
    }
}

/// The same with a folder of runs, in which one has events.
fn shared_with_runs() -> (tempfile::TempDir, Shared) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("a run");
    std::fs::create_dir(&run).unwrap();
    let begin = r#"{"event":"begin","format":1,"kind":"learn","game":"chess","title":"t","command":"c","process":{"id":1,"started":1}}"#;
    std::fs::write(run.join("events.jsonl"), format!("{begin}\n")).unwrap();
    std::fs::write(run.join("halfply-results.json"), r#"{"files": {"report.html": {}}}"#).unwrap();
    std::fs::write(run.join("report.html"), "<h1>report</h1>").unwrap();
    let runs = Some(Arc::new(Runs::under(folder.path()).unwrap()));
    (folder, Shared { runs, ..shared(1) })
}

fn request(method: Method, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request {
    let mut request = Request::builder().method(method).uri(path).header("host", HOST);
    for &(name, value) in headers {
        request = request.header(name, value);
    }
    request.body(body.into()).unwrap()
}

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Status, headers and body of the answer.
fn ask(request: Request) -> (u16, axum::http::HeaderMap, String) {
    runtime().block_on(async {
        let response = router(shared(1)).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (parts.status.as_u16(), parts.headers, String::from_utf8(body.to_vec()).unwrap())
    })
}

fn post_json(path: &str, body: &Value) -> (u16, Value) {
    let (status, _, text) = ask(request(Method::POST, path, JSON, body.to_string()));
    (status, serde_json::from_str(&text).unwrap())
}

#[test]
fn the_page_and_all_its_files_are_served_with_their_types() {
    for asset in assets::ALL {
        let (status, headers, body) = ask(request(Method::GET, asset.path, &[], ""));
        assert_eq!((status, &body[..]), (200, asset.text), "{}", asset.path);
        assert_eq!(headers["content-type"], asset.kind);
        assert_eq!(headers["content-security-policy"], PAGE_POLICY);
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}

#[test]
fn a_game_is_played_by_requests() {
    let (status, position) = post_json("/api/position", &json!({ "game": "chess", "moves": ["e4", "e7e5"] }));
    assert_eq!((status, &position["played"][0]["text"]), (200, &json!("e2e4")));
    let costs = json!({ "game": { "game": "chess" }, "table": "AcK@0" });
    assert_eq!(post_json("/api/costs", &costs).1.as_array().unwrap().len(), 20);
    let table = json!({ "game": "chess", "table": "AcK@0" });
    assert_eq!(post_json("/api/table", &table).1["line"], "AcK@0");
    let (_, _, games) = ask(request(Method::GET, "/api/games", &[], ""));
    assert!(games.contains("\"chess\""), "{games}");
}

#[test]
fn what_is_foreign_unknown_or_no_json_is_refused() {
    let body = r#"{"game": "chess"}"#;
    for (method, path, headers, status) in [
        (Method::POST, "/api/position", &[("origin", "http://evil.example"), JSON[0]][..], 403),
        (Method::GET, "/", &[("origin", "http://evil.example")], 403),
        (Method::GET, "/", &[("sec-fetch-site", "cross-site")], 403),
        (Method::GET, "/api/games", &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors")], 403),
        (Method::GET, "/main.js", &[("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "script")], 403),
        // A second host besides the right one.
        (Method::GET, "/", &[("host", "evil.example")], 403),
        (Method::POST, "/api/position", &[], 415),
        (Method::POST, "/api/position", &[("content-type", "text/plain")], 415),
        (Method::GET, "/api/position", &[], 405),
        (Method::GET, "/../Cargo.toml", &[], 404),
        (Method::GET, "/..%2f..%2fetc/passwd", &[], 404),
        (Method::GET, "/web/index.html", &[], 404),
        (Method::DELETE, "/", &[], 405),
    ] {
        let (answered, headers, _) = ask(request(method.clone(), path, headers, body));
        assert_eq!(answered, status, "{method} {path} {headers:?}");
        assert_eq!(headers["content-security-policy"], PAGE_POLICY);
    }
}

#[test]
fn bodies_have_a_limit_and_are_checked() {
    let huge = json!({ "game": "chess", "start": "8/".repeat(LARGEST_BODY) });
    let (status, answer) = post_json("/api/position", &huge);
    assert_eq!((status, &answer["error"]), (413, &json!("a request has at most 65536 bytes")));
    for body in ["", "{", "[]", "null", "{\"game\": \"go\"}", "{\"game\": \"chess\", \"file\": \"x\"}", "\u{0}"] {
        let (status, _, _) = ask(request(Method::POST, "/api/position", JSON, body));
        assert_eq!(status, 422, "{body:?}");
    }
    let deep = "[".repeat(LARGEST_BODY / 2);
    assert_eq!(ask(request(Method::POST, "/api/position", JSON, deep)).0, 422);
    // An address that cannot be read is refused with a reason, too.
    let (status, _, text) = ask(request(Method::GET, "/api/runs/game?run=x&at=abc", &[], ""));
    assert_eq!(status, 422);
    assert!(serde_json::from_str::<Value>(&text).unwrap()["error"].as_str().unwrap().contains("at"), "{text}");
}

fn search(limits: Value) -> Request {
    let body = json!({ "game": { "game": "breakthrough" }, "player": { "hash": 1 }, "limits": limits });
    request(Method::POST, "/api/search", JSON, body.to_string())
}

#[test]
fn a_search_is_reported_event_by_event() {
    let (status, headers, body) = ask(search(json!({ "nodes": 2000 })));
    assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, "text/event-stream"));
    let events = events(&body);
    assert_eq!(events.first().unwrap()["event"], "iteration");
    assert_eq!((&events.last().unwrap()["event"], &events.last().unwrap()["nodes"]), (&json!("done"), &json!(2000)));
    assert_eq!(ask(search(json!({ "nodes": 0 }))).0, 422);
}

const FILE: &[(&str, &str)] = &[("content-type", "application/octet-stream")];
const OPEN: &str = "/api/open?name=pasted&game=chess&number=1";

#[test]
fn a_file_is_opened_whatever_it_has() {
    let open = |body: Vec<u8>| {
        let start = Instant::now();
        let (status, _, text) = ask(request(Method::POST, OPEN, FILE, body));
        assert!(start.elapsed() < LONGEST_REQUEST && text.len() < 1 << 18, "{} bytes", text.len());
        (status, serde_json::from_str::<Value>(&text).unwrap())
    };
    let (status, game) = open(b"[White \"Ann\"]\n\n1. e4 e5 (1... c5 {a defence}) 2. Nf3 *".into());
    let third = json!({ "up": 1, "text": "c7c5", "name": "c5", "side": "black", "comment": "a defence" });
    assert_eq!((status, &game["game"], &game["nodes"][3]), (200, &json!("chess"), &third));
    assert_eq!(open(format!("1. e4 {}{} e5", "(1. d4 ".repeat(10_000), ")".repeat(10_000)).into()).0, 200);
    for (body, reason) in [
        (b"1. e4 e5\n2. Ke3".to_vec(), "pasted:2: move 3, Ke3"),
        (format!("1. e4 {}", "(1. d4 ".repeat(10_000)).into(), "it ends within a variation"),
        (vec![0xff; LARGEST_FILE], "is not a move"),
        ("1. Nf3 Nf6 Ng1 Ng8 ".repeat(50_000).into(), "at most 2000"),
        (b"1. e4 *\n".repeat(100_000).into_iter().chain(*b"1. d4 (").collect(), "game 100001"),
        (format!("[FEN \"{}\"]\n1. e4", "8/".repeat(1_000)).into(), "pasted:1: the first position, 8/8/"),
    ] {
        let (status, answer) = open(body);
        assert_eq!(status, 422);
        assert!(answer["error"].as_str().unwrap().contains(reason), "{answer}");
    }
    let (status, answer) = open(vec![b' '; LARGEST_FILE + 1]);
    assert_eq!((status, &answer["error"]), (413, &json!("a request has at most 1048576 bytes")));
    assert_eq!(ask(request(Method::POST, OPEN, &[("content-type", "text/plain")], "1. e4")).0, 415);
    assert_eq!(ask(request(Method::POST, "/api/open?name=x", FILE, "1. e4")).0, 422);
    assert_eq!(ask(request(Method::POST, OPEN, &[FILE[0], ("origin", "http://evil.example")], "1. e4")).0, 403);
}

/// The events of an answer.
fn events(body: &str) -> Vec<Value> {
    let event = |line: &str| line.strip_prefix("data: ").map(|event| serde_json::from_str(event).unwrap());
    body.lines().filter_map(event).collect()
}

fn review(moves: &str, nodes: u64) -> Request {
    let moves: Vec<&str> = moves.split(' ').filter(|mv| !mv.is_empty()).collect();
    let body = json!({ "game": { "game": "chess", "moves": moves }, "nodes": nodes });
    request(Method::POST, "/api/review", JSON, body.to_string())
}

#[test]
fn a_review_reports_progress_and_finds_the_blunder() {
    let (status, _, body) = ask(review("f3 e5 g4 Qh4", 2_000));
    let events = events(&body);
    assert_eq!((status, &events[0]), (200, &json!({ "event": "reviewing", "done": 0, "of": 4 })));
    let last = events.last().unwrap();
    assert_eq!((last["event"].as_str(), last["positions"].as_array().unwrap().len()), (Some("reviewed"), 5));
    assert_eq!((&last["moves"][2]["class"], &last["positions"][4]["expected"]), (&json!("blunder"), &json!(0.0)));
    assert!(last["moves"][2]["better"][0].is_string() && last["positions"][3]["eval"] == "#-1", "{last}");
    assert_eq!(last["positions"][4]["eval"], Value::Null, "the game is over");
    for (moves, nodes, reason) in [
        ("", 10, "no move to review"),
        ("e4", 0, "nodes: 1 to 200000"),
        ("e4", 1_000_000, "nodes: 1 to 200000"),
        ("e4 e4", 10, "move 2: e4 is not legal"),
        (&"Nf3 Nf6 Ng1 Ng8 ".repeat(501), 10, "at most 2000"),
    ] {
        let (status, _, body) = ask(review(moves, nodes));
        assert!(status == 422 && body.contains(reason), "{body}");
    }
}

/// A game in which nothing happens, so that all of it must be searched.
const PAWNS: [&str; 16] =
    ["a3", "a6", "b3", "b6", "c3", "c6", "d3", "d6", "e3", "e6", "f3", "f6", "g3", "g6", "h3", "h6"];

#[test]
fn a_review_takes_the_place_of_a_search_and_stops_when_nobody_listens() {
    runtime().block_on(async {
        let shared = shared(1);
        let router = router(shared.clone());
        let long = router.clone().oneshot(review(&PAWNS.join(" "), 200_000)).await.unwrap();
        assert_eq!(long.status(), 200);
        assert_eq!(router.clone().oneshot(search(json!({ "nodes": 10 }))).await.unwrap().status(), 503);
        drop(long);
        let freed = tokio::time::timeout(Duration::from_secs(20), shared.slots.acquire()).await;
        assert!(freed.is_ok(), "the review continues");
    });
}

#[test]
fn no_more_searches_run_than_cores_and_each_stops_when_nobody_listens() {
    runtime().block_on(async {
        let shared = shared(1);
        let router = router(shared.clone());
        let endless = router.clone().oneshot(search(json!({}))).await.unwrap();
        assert_eq!(endless.status(), 200);
        let second = router.clone().oneshot(search(json!({ "nodes": 10 }))).await.unwrap();
        assert_eq!(second.status(), 503);
        // The browser closes the connection.
        drop(endless);
        let freed = tokio::time::timeout(Duration::from_secs(20), shared.slots.acquire()).await;
        assert!(freed.is_ok(), "the search continues");
        drop(freed);
        // What is refused takes no place for good.
        let refused = router.clone().oneshot(search(json!({ "nodes": 0 }))).await.unwrap();
        assert_eq!((refused.status().as_u16(), shared.slots.available_permits()), (422, 1));
    });
}

#[test]
fn searches_stop_when_the_server_ends() {
    runtime().block_on(async {
        let shared = shared(1);
        let endless = router(shared.clone()).oneshot(search(json!({}))).await.unwrap();
        shared.stop.raise();
        let start = Instant::now();
        let body = to_bytes(endless.into_body(), usize::MAX).await.unwrap();
        assert!(start.elapsed() < Duration::from_secs(20));
        assert!(String::from_utf8(body.to_vec()).unwrap().contains("\"done\""));
    });
}

#[test]
fn runs_are_watched_and_their_reports_have_no_scripts() {
    let (folder, shared) = shared_with_runs();
    runtime().block_on(async {
        let router = router(shared.clone());
        let get = |path: &str| router.clone().oneshot(request(Method::GET, path, &[], ""));
        let watching = get("/api/runs/events?run=a%20run").await.unwrap();
        assert_eq!(watching.headers()["content-type"], "text/event-stream");
        let mut body = watching.into_body().into_data_stream();
        let mut piece = async || {
            let next =
                std::future::poll_fn(|context| futures_core::Stream::poll_next(std::pin::Pin::new(&mut body), context));
            let bytes = tokio::time::timeout(Duration::from_secs(20), next).await.unwrap().unwrap().unwrap();
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        let mut next = async || {
            let mut text = String::new();
            while !text.ends_with("\n\n") {
                text += &piece().await;
            }
            serde_json::from_str::<Value>(text.trim().strip_prefix("data: ").unwrap()).unwrap()
        };
        let shown = next().await;
        assert_eq!((&shown["state"], &shown["files"]), (&json!("interrupted"), &json!(["report.html"])));
        // It has found something meanwhile.
        let events = folder.path().join("a run/events.jsonl");
        let told = r#"{"event":"found","headline":"Without extensions 3."}"#;
        let text = std::fs::read_to_string(&events).unwrap() + told + "\n";
        std::fs::write(&events, text).unwrap();
        assert_eq!(next().await["headline"], "Without extensions 3.");

        let report = get("/files/a%20run/report.html").await.unwrap();
        assert_eq!(report.status(), 200);
        assert_eq!(report.headers()["content-security-policy"], REPORT_POLICY);
        assert_eq!(report.headers()["content-length"], "15");
        assert_eq!(to_bytes(report.into_body(), usize::MAX).await.unwrap(), "<h1>report</h1>");
        // Another file is sent as it is: one that has many pieces, and one that becomes shorter while it is sent.
        let path = folder.path().join("a run/report.html");
        let large: Vec<u8> = (0..1_000_000).map(|place| (place % 251) as u8).collect();
        std::fs::write(&path, &large).unwrap();
        let report = get("/files/a%20run/report.html").await.unwrap();
        assert!(to_bytes(report.into_body(), usize::MAX).await.unwrap() == large);
        let report = get("/files/a%20run/report.html").await.unwrap();
        std::fs::write(&path, &large[..100_000]).unwrap();
        assert!(to_bytes(report.into_body(), usize::MAX).await.is_err());
        for path in [
            "/files/a%20run/events.jsonl",
            "/files/a%20run/none.html",
            "/files/..%2f..%2fetc%2fpasswd",
            "/files/../http.rs",
            "/files//etc/passwd",
            "/api/runs/events?run=..",
            "/api/runs/events?run=none",
            "/api/runs/game?run=a%20run&at=0",
            "/api/runs/games?run=%2fetc",
            "/api/runs/report?run=a%20run",
        ] {
            assert_eq!(get(path).await.unwrap().status(), 404, "{path}");
        }
        assert_eq!(get("/api/runs/games?run=a%20run&at=-1").await.unwrap().status(), 422);

        // There is room for two that watch, and one is left when the first goes.
        let _second = get("/api/runs/events").await.unwrap();
        assert_eq!(get("/api/runs/events").await.unwrap().status(), 503);
        drop(body);
        let freed = tokio::time::timeout(Duration::from_secs(20), shared.watchers.acquire()).await;
        assert!(freed.is_ok(), "nobody reads the events, and they continue");
    });
}

#[test]
fn without_a_folder_there_are_no_runs() {
    for path in ["/api/runs/events", "/api/runs/games", "/files/x.html"] {
        let (status, _, body) = ask(request(Method::GET, path, &[], ""));
        assert!(status == 404 && body.contains("start it with --runs"), "{path}: {body}");
    }
    assert_eq!(ask(request(Method::GET, "/runs", &[], "")).0, 200);
}
