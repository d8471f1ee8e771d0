#pragma once
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

// GNU extensions that Swift's Glibc module leaves out because it is built without _GNU_SOURCE. Declared here as their manual pages give them.
int pthread_setname_np(pthread_t thread, const char *name);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int syncfs(int descriptor);
int pipe2(int descriptors[2], int flags);
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
ssize_t copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count, unsigned int flags);
int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned int flags);

// From linux/fs.h; that header cannot be included beside glibc's.
enum { POSTERITY_RENAME_EXCHANGE = 2 };

#include <sys/ioctl.h>
#include <unistd.h>

// ioctl is variadic, which Swift cannot call. Gives 0 when the descriptor is no terminal or its width is unknown.
static inline int posterity_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// A mutable C global, which Swift 6 does not let through; read once, before any other thread starts.
extern char **environ;
static inline char **posterity_environment(void) { return environ; }
