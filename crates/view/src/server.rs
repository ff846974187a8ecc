//! The server: loopback interface only, `GET` only, a few connections, small headers.
//!
//! hyper is used directly: limits of headers and times belong to a connection, and ten routes need no router.

use crate::feed::Feed;
use crate::request::{self, Request};
use crate::{ViewError, assets, routes, security};
use http_body_util::Full;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};

/// Largest number of concurrent connections; a browser opens six.
const CONNECTIONS: usize = 16;
/// Length of the head of a request [bytes].
const LONGEST_HEAD: usize = 8192;
/// Time in which the head of a request must arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Longest wait of a request for new data.
const WAIT: Duration = Duration::from_secs(20);
/// Time between two reads of a folder.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Time between two reads of a run in memory: 30 pictures per second suffice.
const LOOK_LIVE: Duration = Duration::from_millis(33);

/// Options of the server.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// Port; 0 selects a free one.
    pub port: u16,
}

/// Data shared by all connections.
struct Shared {
    feeds: Vec<Arc<dyn Feed>>,
    token: String,
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    token: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    /// Starts to serve runs, on a separate thread.
    pub fn start(feeds: Vec<Arc<dyn Feed>>, options: &ServerOptions) -> Result<Self, ViewError> {
        let token = security::new_token().map_err(|error| {
            ViewError::Page(format!("the system provides no random numbers: {error}"))
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { feeds, token: token.clone() });
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
            // Requests that still read files are abandoned.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("viewer".to_owned()).spawn(serve)?;
        Ok(Self { port, token, stop: Some(stop), thread: Some(thread) })
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The token that requests must carry.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The address to open. The token comes after `#`, which browsers do not send.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            serve(stream, shared).await;
            drop(permit);
        });
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(respond(&request, &shared).await) }
    });
    // A connection that fails or violates the rules is closed without a report.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

type Reply = Response<Full<Bytes>>;

async fn respond(request: &hyper::Request<Incoming>, shared: &Arc<Shared>) -> Reply {
    if !security::is_local(request.headers()) {
        return plain(
            StatusCode::FORBIDDEN,
            "This viewer answers only requests from this machine.",
        );
    }
    if request.method() != Method::GET {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "The viewer only reads.");
    }
    if !request.body().is_end_stream() {
        return plain(StatusCode::PAYLOAD_TOO_LARGE, "The viewer accepts no data.");
    }
    let path = request.uri().path();
    if path == "/" {
        return reply(StatusCode::OK, assets::media_type("index.html"), assets::index().into());
    }
    if path == "/favicon.ico" {
        return reply(StatusCode::NO_CONTENT, "image/png", Bytes::new());
    }
    if let Some(name) = path.strip_prefix("/assets/") {
        return match assets::find(name) {
            Some(bytes) => reply(StatusCode::OK, assets::media_type(name), bytes.into()),
            None => plain(StatusCode::NOT_FOUND, "There is no such file."),
        };
    }
    if !security::has_token(request.headers(), &shared.token) {
        return plain(
            StatusCode::FORBIDDEN,
            "The token is missing or wrong: open the address that Esker printed.",
        );
    }
    let found = request::parse(path, request.uri().query().unwrap_or_default());
    let found = found.and_then(|(run, request)| Some((shared.feeds.get(run)?, request)));
    match found {
        None => plain(StatusCode::NOT_FOUND, "Not found."),
        Some((feed, request @ Request::Next { .. })) => wait(feed, &request).await,
        Some((feed, request)) => answer(feed, request, shared.feeds.len()).await,
    }
}

/// Waits for new data, for a limited time.
async fn wait(feed: &Arc<dyn Feed>, request: &Request) -> Reply {
    let Request::Next { frames, step, contacts, .. } = request else {
        return plain(StatusCode::NOT_FOUND, "Not found.");
    };
    let start = Instant::now();
    let mut last_check: Option<Instant> = None;
    loop {
        feed.request_live(*step, *contacts);
        // The step of a state in memory is known without reading the folder.
        let is_newer = feed.live_step().is_some_and(|newest| newest > *step);
        if is_newer || last_check.is_none_or(|at| at.elapsed() >= CHECK_INTERVAL) {
            last_check = Some(Instant::now());
            let reader = Arc::clone(feed);
            match tokio::task::spawn_blocking(move || reader.progress()).await {
                Ok(Ok(progress)) => {
                    if routes::is_news(&progress, request) || start.elapsed() > WAIT {
                        let news = routes::news(&progress, *frames);
                        return reply(StatusCode::OK, "application/json", news.into());
                    }
                }
                Ok(Err(error)) => return refused(&error),
                Err(_) => return broken(),
            }
        }
        tokio::time::sleep(if feed.is_live() { LOOK_LIVE } else { CHECK_INTERVAL }).await;
    }
}

async fn answer(feed: &Arc<dyn Feed>, request: Request, runs: usize) -> Reply {
    let reader = Arc::clone(feed);
    let work = tokio::task::spawn_blocking(move || routes::answer(&*reader, &request, runs));
    match work.await {
        Ok(Ok((kind, bytes))) => reply(StatusCode::OK, kind, bytes.into()),
        Ok(Err(error)) => refused(&error),
        Err(_) => broken(),
    }
}

fn refused(error: &ViewError) -> Reply {
    let status = match error {
        ViewError::Missing(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    plain(status, &error.to_string())
}

fn broken() -> Reply {
    plain(StatusCode::INTERNAL_SERVER_ERROR, "The request failed; please report this.")
}

fn plain(status: StatusCode, text: &str) -> Reply {
    reply(status, "text/plain; charset=utf-8", text.to_owned().into())
}

fn reply(status: StatusCode, kind: &'static str, body: Bytes) -> Reply {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in security::RESPONSE_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
