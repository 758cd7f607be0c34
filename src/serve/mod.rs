// SPDX-License-Identifier: GPL-3.0-or-later
//! A page in the browser: play, and see the search.
//!
//! The rules stay here. The page sends the whole game with each request and shows what it is told, so the server keeps no
//! state except the searches that are running.
//!
//! | file | idea |
//! |---|---|
//! | `assets` | the files of the page, in `web/` |
//! | `catalog` | what the page can choose from |
//! | `game` | a game as the page sends it, and its position as the page shows it |
//! | `open` | a game of a file |
//! | `review` | a game gone through |
//! | `search` | a search |
//! | `event` | what the page hears of them while they run |
//! | `table` | extension tables, and what moves cost under them |
//! | `runs` | the runs under a folder, and what each has found so far |
//! | `watch` | their addresses, and their events for pages that watch |
//! | `guard` | which requests are let in |
//! | `refusal` | why a request is refused |
//! | `shared` | what all requests share |
//! | `asked` | what a request asks, in its address or its body |
//! | `http` | the addresses, and what each answers |
//! | `bodies` | answers that are sent piece by piece |
//! | `connections` | how many there may be, and how long each may wait |
//! | `slow` | connections whose client does not read |

mod asked;
mod assets;
mod bodies;
mod catalog;
mod connections;
mod event;
mod game;
mod guard;
mod http;
mod open;
mod refusal;
mod review;
mod runs;
mod search;
mod shared;
mod slow;
mod table;
mod watch;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use self::connections::Limits;
use self::guard::Guard;
use self::runs::Runs;
use self::shared::Shared;
use self::watch::MOST_WATCHERS;
use halfply_lab::run::Stop;

pub use catalog::GivenTable;
pub use guard::check_name;

/// How often the server looks whether it is to end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// How long it waits for open connections when it ends.
const GRACE: Duration = Duration::from_secs(1);

/// The stack of threads that search: a line of a search is as deep as a game is long.
const STACK: usize = 8 << 20;

/// What to serve.
#[derive(Clone, Debug, Default)]
pub struct ServerSettings {
    /// Other names of this server, which a browser may know it by.
    pub names: Vec<String>,
    /// Extension tables for the page to choose from.
    pub tables: Vec<GivenTable>,
    /// How many searches may run at once.
    pub searches: usize,
    /// The folder whose runs are shown; none shows none.
    pub runs: Option<PathBuf>,
}

/// A server that is bound to its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds to an address; port 0 takes a free one.
    ///
    /// # Errors
    /// If the address is taken or not one of this machine.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(STACK)
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let address = listener.local_addr()?;
        Ok(Self { runtime, listener, address })
    }

    /// What it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the flag is raised. Searches stop then.
    ///
    /// # Errors
    /// If the folder of runs cannot be read.
    pub fn run(self, settings: &ServerSettings, stop: &Stop) -> io::Result<()> {
        let shared = Shared {
            guard: Arc::new(Guard::new(self.address, &settings.names)),
            games: catalog::json(&settings.tables),
            slots: Arc::new(Semaphore::new(settings.searches)),
            searches: settings.searches,
            stop: stop.clone(),
            runs: settings.runs.as_deref().map(Runs::under).transpose()?.map(Arc::new),
            watchers: Arc::new(Semaphore::new(MOST_WATCHERS)),
        };
        let router = http::router(shared);
        self.runtime.block_on(async {
            let served = connections::serve(self.listener, router, Limits::default(), raised(stop.clone()));
            tokio::select! {
                () = served => {}
                // A connection that stays open must not hold the program.
                () = async { raised(stop.clone()).await; tokio::time::sleep(GRACE).await } => {}
            }
        });
        self.runtime.shutdown_timeout(GRACE);
        Ok(())
    }
}

/// Waits until the flag is raised.
async fn raised(stop: Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}
