#pragma once
#include <pthread.h>
#include <stdio.h>

// GNU extensions that Swift's Glibc module leaves out because it is built without _GNU_SOURCE. Declared here as their manual pages give them.
int pthread_setname_np(pthread_t thread, const char *name);
int syncfs(int descriptor);
int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned int flags);

// From linux/fs.h; that header cannot be included beside glibc's.
enum { POSTERITY_RENAME_EXCHANGE = 2 };
