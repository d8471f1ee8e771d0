#pragma once
#include <microhttpd.h>

// Swift cannot call variadic C functions, which is what libmicrohttpd starts a daemon and asks about a connection with; nor does it see
// macros that are not plain numbers.

/// A daemon without a socket and without a thread: connections are handed to it, and it works when it is told to.
///
/// The thread that runs it blocks SIGPIPE, without which the library would not use sendfile. No time limit of the library's: it knows
/// inactivity alone, and a client that trickles is never inactive.
static inline struct MHD_Daemon *posterity_mhd_start(
    unsigned int connection_limit, size_t connection_bytes, MHD_AccessHandlerCallback answer,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection), MHD_RequestCompletedCallback end,
    MHD_NotifyConnectionCallback notify, void *context) {
    // Turbo: read at once after accepting, and do not shut a socket down before closing it, which would turn a wanted reset into an end.
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes, MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_END);
}

/// Readable when the daemon has something to do.
static inline int posterity_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// The connection's socket, which stays the daemon's; -1 when it has none.
static inline int posterity_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

/// What `notify` kept for the connection.
static inline void *posterity_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The status that was queued, by us or by the library itself; 0 when none was.
static inline unsigned int posterity_mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info ? info->http_status : 0;
}

/// The bytes of the request line and the header, its empty line included.
static inline size_t posterity_mhd_head_bytes(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// Whether the library keeps a request's head in one piece, exactly as it came but for the zeros that end its parts. Later ones are strict themselves.
static inline int posterity_mhd_keeps_head(void) { return MHD_VERSION < 0x00097600; }
