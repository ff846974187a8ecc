/* Errors of the file system, injected into a program by LD_PRELOAD (Linux with glibc).
 *
 * Counts the operations by which a program changes files below a folder, and lets the one with a
 * given number fail. Controlled by the environment:
 *   FAULT_UNDER  the folder, as an absolute path without symbolic links
 *   FAULT_AT     number of the operation that fails, from 1; 0 for none
 *   FAULT_ERRNO  the error
 *   FAULT_STAYS  if set, all later operations fail too, as on a full disk; the first write then
 *                writes half of its bytes
 *   FAULT_NAMED  if set, files without a name (O_TMPFILE) are not supported, as on NFS
 *   FAULT_FLOCK  if set, the error of every flock
 *   FAULT_LOG    file that gets the count and the operation that failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long made;
static char failed[512];

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int below(const char *path) {
    const char *folder = setting("FAULT_UNDER");
    size_t length = strlen(folder);
    return length && !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

static int path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

/* Counts an operation on a path; whether it fails: 1 for the first, 2 for later ones. */
static int fails(const char *operation, const char *path) {
    if (!below(path)) return 0;
    long at = atol(setting("FAULT_AT")), number = atomic_fetch_add(&made, 1) + 1;
    int later = at && number > at && *setting("FAULT_STAYS");
    if (number != at && !later) return 0;
    if (number == at) snprintf(failed, sizeof failed, "%s %s", operation, path);
    errno = atoi(setting("FAULT_ERRNO"));
    return later ? 2 : 1;
}

static int file_fails(const char *operation, int file) {
    char path[4096];
    return path_of(file, path, sizeof path) ? fails(operation, path) : 0;
}

static int name_fails(const char *operation, int folder, const char *name) {
    char path[8192];
    size_t length = 0;
    if (name[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(path, 4096)) return 0;
        } else if (!path_of(folder, path, 4096)) {
            return 0;
        }
        length = strlen(path);
        path[length++] = '/';
    }
    snprintf(path + length, sizeof path - length, "%s", name);
    return fails(operation, path);
}

__attribute__((destructor)) static void report(void) {
    char text[600];
    const char *log = setting("FAULT_LOG");
    if (!*log) return;
    int length = snprintf(text, sizeof text, "%ld\n%s\n", atomic_load(&made), failed);
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, text, (size_t)length) == length) close(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    int how = file > 2 ? file_fails("write", file) : 0;
    if (!how) return real(file, bytes, count);
    if (how == 1 && *setting("FAULT_STAYS") && count > 1) return real(file, bytes, count / 2);
    return -1;
}

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return file_fails("truncate", file) ? -1 : real(file, length);
}

/* Syncs are counted and not made: no power is lost here, and they would take most of the time. */
int fsync(int file) {
    return file_fails("sync", file) ? -1 : 0;
}

int fdatasync(int file) {
    return file_fails("sync", file) ? -1 : 0;
}

/* Opening a file for writing makes it or empties it. */
#define OPEN(name, folder_parameter, folder, ...) \
    int name(folder_parameter const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, mode_t); \
        va_end(rest); \
        int unnamed = (flags & O_TMPFILE) == O_TMPFILE; \
        if (unnamed && *setting("FAULT_NAMED")) { \
            errno = EOPNOTSUPP; \
            return -1; \
        } \
        if ((unnamed || flags & (O_CREAT | O_TRUNC)) && name_fails("open", folder, path)) return -1; \
        return real(__VA_ARGS__ path, flags, mode); \
    }
#define NONE
#define FOLDER folder,
#define COMMA_FOLDER int folder,
OPEN(open, NONE, AT_FDCWD)
OPEN(open64, NONE, AT_FDCWD)
OPEN(openat, COMMA_FOLDER, folder, FOLDER)
OPEN(openat64, COMMA_FOLDER, folder, FOLDER)

int rename(const char *from, const char *to) {
    REAL(rename);
    return name_fails("rename", AT_FDCWD, to) ? -1 : real(from, to);
}

int renameat(int from_folder, const char *from, int folder, const char *to) {
    REAL(renameat);
    return name_fails("rename", folder, to) ? -1 : real(from_folder, from, folder, to);
}

int linkat(int from_folder, const char *from, int folder, const char *to, int flags) {
    REAL(linkat);
    return name_fails("link", folder, to) ? -1 : real(from_folder, from, folder, to, flags);
}

int unlink(const char *path) {
    REAL(unlink);
    return name_fails("remove", AT_FDCWD, path) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    return name_fails("remove", folder, path) ? -1 : real(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return name_fails("make", AT_FDCWD, path) ? -1 : real(path, mode);
}

int flock(int file, int operation) {
    static int (*real)(int, int);
    if (!real) real = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    if (*setting("FAULT_FLOCK")) {
        errno = atoi(setting("FAULT_FLOCK"));
        return -1;
    }
    return real(file, operation);
}
