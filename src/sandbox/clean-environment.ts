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

/** Who commits, and with which settings that are no secret. */
const ofCommits =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|TERMINAL_PROMPT|PAGER|EDITOR)$/

/** What programs that build and test take from the environment: where tool chains are, and how they work. */
const ofBuilds =
  /^(?:CI|NODE_ENV|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|NIX_SSL_CERT_FILE|PYTHON\w*|VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV|GO(?:PATH|ROOT|FLAGS|BIN|OS|ARCH|ARM|PROXY|PRIVATE|SUMDB|NOSUMDB|TOOLCHAIN|WORK)|CGO_\w+|RUST\w*|CARGO_(?:BUILD|TARGET|PROFILE|TERM|INCREMENTAL)\w*|CC|CXX|CPP|LD|AR|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MAKEFLAGS|PKG_CONFIG_PATH|LD_LIBRARY_PATH|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|JAVA_HOME|JDK_HOME|GRADLE_HOME|MAVEN_HOME|M2_HOME|ANDROID_(?:HOME|SDK_ROOT)|DOTNET_ROOT|NVM_DIR|FNM_DIR|VOLTA_HOME|PNPM_HOME|BUN_INSTALL|DENO_INSTALL|ASDF_DIR|PYENV_ROOT|RBENV_ROOT|GEM_HOME|GEM_PATH|RUBYLIB|PERL5LIB|PERL_LOCAL_LIB_ROOT|SDKMAN_DIR|MIX_HOME|HEX_HOME|NIX_(?:PATH|PROFILES)|PAGER|EDITOR|VISUAL)$/

/** An address with a password or a token, such as that of a proxy for modules. */
const withPassword = /:\/\/[^\s/]*@/

/**
 * `runsGit`: git was asked with the user's own settings, so it has to have the same ones. `isWriting`: what runs may build and commit.
 * Temporary files are those of the box.
 */
export function cleanEnvironment(
  env: NodeJS.ProcessEnv,
  { runsGit = false, isWriting = false }: { runsGit?: boolean; isWriting?: boolean },
): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    names.has(name) ||
    ofLanguage.test(name) ||
    (runsGit && ofGit.test(name)) ||
    (isWriting && (ofCommits.test(name) || ofBuilds.test(name)))
  const kept = Object.entries(env).filter(([name, value = '']) => isKept(name) && !withPassword.test(value))
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp' }
}
