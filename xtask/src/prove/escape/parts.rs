//! The parts that malicious paths are put together from. `$ROOT` is the workspace, `$HOME` the folder that it lies in.

/// What every attack wants to reach.
pub(super) const TARGETS: &[&str] = &[
    "secret.txt",
    "beside/x",
    "beside/new.txt",
    "beside",
    "ws-evil/x",
    "ws-evil",
    "WS/x",
    "ws.txt",
    "ws-evil/../secret.txt",
    "etc/passwd",
    "new/new.txt",
    "",
];
/// Ways to climb.
pub(super) const CLIMBS: &[&str] = &[
    "..",
    "./..",
    "../.",
    ".//..",
    "d/../..",
    "d/./../..",
    "none/../..",
    "d/b.txt/../../..",
    "a.txt/../..",
    "d//..//..",
    "d/e/../../..",
    "none/none/../../..",
];
/// Ways to go on.
pub(super) const JOINTS: &[&str] = &["/", "//", "/./", "///", "/.//"];
/// Ways to end.
pub(super) const ENDS: &[&str] = &["", "/", "/.", "//", "/..", "/../x"];
/// Beginnings that are absolute somewhere.
pub(super) const ABSOLUTE: &[&str] = &[
    "/",
    "//",
    "///",
    "/./",
    "/../",
    "$HOME/",
    "$HOME//",
    "$HOME/./",
    "$ROOT-evil/",
    "$ROOT/../",
    "$ROOT/d/../../",
    "$ROOT/./../",
    "/proc/self/root/",
    "/proc/self/cwd/",
    "/proc/self/cwd/../",
    "/proc/1/root/",
    "/proc/thread-self/root/",
    "/dev/fd/0/",
    "/dev/",
    "/tmp/../",
    "/proc/self/root$HOME/",
];
/// Names that mean a device or the kernel, here or elsewhere.
pub(super) const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/tty",
    "/dev/mem",
    "/dev/fd/1",
    "/proc/self/mem",
    "/proc/self/environ",
    "/proc/self/fd/3",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
    "/etc/ld.so.preload",
    "CON",
    "NUL",
    "nul.txt",
    "COM1",
    "LPT1.txt",
    "a.txt::$DATA",
    "a.txt:stream",
];
/// Beginnings as other systems and programs write them.
pub(super) const FOREIGN: &[&str] = &[
    "C:\\",
    "C:/",
    "c:",
    "C:..\\",
    "\\\\host\\share\\",
    "//host/share/",
    "\\\\?\\C:\\",
    "\\\\.\\",
    "file:///",
    "file://localhost/",
    "~/",
    "~root/",
    "$HOME_/",
    "${HOME}/",
    "%HOME%/",
    "`id`/",
    "$(id)/",
    "http://host/",
    "\\",
    "..\\",
    "..\\..\\",
    "d\\..\\..\\",
    ".\\..\\",
];
/// Other ways to write a slash.
pub(super) const SLASHES: &[&str] = &[
    "\\", "%2f", "%2F", "%252f", "%5c", "%c0%af", "\u{2215}", "\u{ff0f}", "\u{2044}", "\u{29f8}", "\\/", ";/", "\0/",
    " /",
];
/// The same for a dot.
pub(super) const DOTS: &[&str] =
    &["%2e", "%252e", "\u{ff0e}", "\u{2024}", "\u{2025}", ".\u{200b}", "\u{200b}.", ". ", "%c0%ae", ".\0"];
/// Characters that should not be there.
pub(super) const ODD: &[char] = &[
    '\0',
    '\n',
    '\r',
    '\t',
    '\u{1b}',
    '\u{7f}',
    '\u{9b}',
    '\u{ad}',
    '\u{200b}',
    '\u{200d}',
    '\u{202e}',
    '\u{2066}',
    '\u{feff}',
    '\u{fe0f}',
    '\u{e0041}',
    '\u{301}',
    '\u{fffd}',
    '\\',
    ' ',
    '*',
    '?',
    '"',
    '\'',
    '|',
    '<',
    '>',
    ':',
    ';',
    '&',
    '%',
    '\u{1f600}',
];
