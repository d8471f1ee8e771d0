#pragma once
#include <microhttpd.h>

// Swift cannot call variadic C functions, which is what libmicrohttpd starts a daemon, asks about a connection and sets up a response with.

/// Serves an already listening socket, which the daemon then owns, from one thread of its own.
static inline struct MHD_Daemon *posterity_mhd_start(
    unsigned int flags, MHD_socket listening, unsigned int connection_limit, unsigned int idle_seconds, MHD_AccessHandlerCallback answer,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection), MHD_RequestCompletedCallback end, void *context) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, answer, context, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end, context,
        MHD_OPTION_END);
}

/// The connection's socket, which stays the daemon's; -1 when it has none.
static inline int posterity_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}
