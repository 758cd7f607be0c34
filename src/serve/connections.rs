// SPDX-License-Identifier: GPL-3.0-or-later
//! Connections: how many there may be, and how long each may keep the server waiting.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::slow::Impatient;

/// The most bytes that are held for a connection, besides one piece of an answer: the headers of a request, or what the client
/// has not read yet.
const MOST_HELD: usize = 64 << 10;

/// What connections may take of the server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many may be open at once. Others wait until one is closed.
    pub connections: usize,
    /// How long the headers of a request may take to arrive, counted from the connection or from the last answer. So an
    /// idle connection is closed after this time too.
    pub head: Duration,
    /// How long a client may take to read [`LEAST`](super::slow::LEAST) bytes of an answer, or its rest.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        // Many systems let a process have 1024 files open.
        // And nobody waits longer for a place than the slowest client may keep one.
        Self { connections: 512, head: Duration::from_secs(10), patience: Duration::from_secs(10) }
    }
}

/// Answers requests until `ended` is ready. Then takes no more connections, and waits for the answers that have begun.
pub async fn serve(mut listener: TcpListener, router: Router, limits: Limits, ended: impl Future<Output = ()>) {
    let service = TowerToHyperService::new(router);
    let room = Arc::new(Semaphore::new(limits.connections));
    let open = GracefulShutdown::new();
    let mut ended = pin!(ended);
    loop {
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await;
            // This one tries again after an error, such as too many open files.
            (permit, Listener::accept(&mut listener).await)
        };
        let (permit, (stream, _)) = tokio::select! {
            next = next => next,
            () = &mut ended => break,
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(MOST_HELD)
            .serve_connection(TokioIo::new(Impatient::new(stream, limits.patience)), service.clone());
        let connection = open.watch(connection);
        tokio::spawn(async move {
            let _permit = permit;
            // An error is the client's: no HTTP, too slow, or gone.
            let _ = connection.await;
        });
    }
    drop(listener);
    open.shutdown().await;
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};
    use std::time::Instant;

    use axum::body::Bytes;
    use axum::routing::{MethodRouter, get};
    use tokio::sync::oneshot;

    use super::*;

    const HEAD: Duration = Duration::from_millis(400);
    const PATIENCE: Duration = Duration::from_secs(1);
    const REQUEST: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(20);

    /// Runs a test against a server, then ends the server.
    fn with_server<T>(connections: usize, page: MethodRouter, test: impl FnOnce(SocketAddr) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", page);
        let (end, ended) = oneshot::channel::<()>();
        let limits = Limits { connections, head: HEAD, patience: PATIENCE };
        let server = runtime.spawn(serve(listener, router, limits, async { ended.await.unwrap() }));
        let result = test(address);
        end.send(()).unwrap();
        runtime.block_on(async { tokio::time::timeout(LONG, server).await }).expect("no end").unwrap();
        result
    }

    /// A page that is there at once.
    fn page() -> MethodRouter {
        get(|| async { "page" })
    }

    fn connect(address: SocketAddr, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// What arrives before the server closes the connection.
    fn rest(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("the connection stays open");
        text
    }

    #[test]
    fn connections_without_a_whole_request_are_closed_in_time() {
        with_server(8, page(), |address| {
            for text in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
                let start = Instant::now();
                assert_eq!(rest(connect(address, text)), "", "{text:?}");
                assert!(start.elapsed() >= HEAD / 2, "closed at once");
            }
            assert!(rest(connect(address, REQUEST)).ends_with("page"), "idle after the answer");
            // A header now and then does not help.
            let mut slow = connect(address, "GET / HTTP/1.1\r\n");
            let start = Instant::now();
            while slow.write_all(b"X: x\r\n").is_ok() {
                assert!(start.elapsed() < LONG, "the connection stays open");
                std::thread::sleep(HEAD / 8);
            }
        });
    }

    #[test]
    fn connections_beyond_the_limit_wait_for_their_turn() {
        with_server(2, page(), |address| {
            let idle = [connect(address, ""), connect(address, "")];
            let start = Instant::now();
            assert!(rest(connect(address, REQUEST)).ends_with("page"));
            assert!(start.elapsed() >= HEAD, "there was room at once: {:?}", start.elapsed());
            drop(idle);
        });
    }

    #[test]
    fn clients_that_do_not_read_are_cut_off_and_slow_ones_are_not() {
        // More than the system keeps for a connection.
        const LENGTH: usize = 64 << 20;
        let body = Bytes::from(vec![b'x'; LENGTH]);
        with_server(2, get(async move || body), |address| {
            // One does not read at all, the other reads a byte now and then.
            let [idle, mut slow] = [(); 2].map(|()| connect(address, REQUEST));
            let reader = std::thread::spawn(move || {
                let start = Instant::now();
                while start.elapsed() < LONG && slow.read(&mut [0]).is_ok_and(|read| read > 0) {
                    std::thread::sleep(PATIENCE / 8);
                }
                // What the system has kept can be read after the end, but that is not all of it.
                std::io::copy(&mut slow, &mut std::io::sink()).unwrap_or_default()
            });
            let mut patient = connect(address, REQUEST);
            let (start, mut read, mut piece) = (Instant::now(), 0, vec![0; 4 << 20]);
            while read < LENGTH {
                let more = patient.read(&mut piece).expect("an answer");
                assert!(more > 0, "cut off after {read}");
                read += more;
                std::thread::sleep(PATIENCE / 64);
            }
            assert!(start.elapsed() >= PATIENCE / 2, "there was room at once");
            drop((idle, reader));
        });
    }

    #[test]
    fn a_server_that_ends_takes_no_more_connections_and_finishes_its_answers() {
        let (begun, begins) = std::sync::mpsc::channel();
        let slow = get(async move || {
            begun.send(()).unwrap();
            tokio::time::sleep(HEAD).await;
            "page"
        });
        let (address, stream) = with_server(2, slow, |address| {
            let stream = connect(address, REQUEST);
            begins.recv_timeout(LONG).unwrap();
            (address, stream)
        });
        assert!(TcpStream::connect(address).is_err());
        assert!(rest(stream).ends_with("page"));
    }
}
