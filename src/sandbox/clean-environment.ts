/** The environment in a box: a list of variables that hold no secret and lead to no socket. Everything else stays outside. */

const names = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TZ COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE ' +
    'LS_COLORS GREP_COLORS XDG_CONFIG_HOME LOCALE_ARCHIVE LOCPATH SUDO_UID SUDO_GID SUDO_USER'
  ).split(' '),
)

const ofLanguage = /^LC_[A-Z]+$/

/** The settings of git that hold it to reading (`src/platform/git/switches.ts`), the user's own, and where it looks for a repository. */
const ofGit =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|PARAMETERS|COUNT|(?:KEY|VALUE)_\d+)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|OPTIONAL_LOCKS|TERMINAL_PROMPT|NO_LAZY_FETCH|ALLOW_PROTOCOL|PAGER|EDITOR)$/

/** `runsGit`: git was asked with the user's own settings, so it has to have the same ones. Temporary files are those of the box. */
export function cleanEnvironment(env: NodeJS.ProcessEnv, { runsGit }: { runsGit: boolean }): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean => names.has(name) || ofLanguage.test(name) || (runsGit && ofGit.test(name))
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))), TMPDIR: '/tmp' }
}
