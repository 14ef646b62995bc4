/**
 * Says whether the shell of an agent's commands is one in which lines that are taken for reading were tried. Another one may read a line
 * in its own way: fish ends `'a\'` later, tcsh runs what stands between escaped backticks.
 */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** The shells of agents: the first that is there. */
export const BASH = '/bin/bash'
export const SH = '/bin/sh'

/** The shell in which we run an agent's commands on this machine. */
export const agentShellFile = (): string => (existsSync(BASH) ? BASH : SH)

/** Names of files, with a version or without. */
const TRIED = /^(?:bash|dash|zsh|mksh|ksh93|busybox)(?:-?[\d.]+)?$/

/** A line for any shell of POSIX. bash, zsh and each ksh say by a variable which they are, whatever their file is called. */
export const WHICH_SHELL = 'printf "%s" "${BASH_VERSION:+bash}${ZSH_VERSION:+zsh}${KSH_VERSION:-}"'

/** Whether the name of the file, without links, is enough. */
export function isTriedFile(file: string): boolean {
  return TRIED.test(basename(file))
}

/** Whether the answer to `WHICH_SHELL` is enough. */
export function isTriedAnswer(answer: string): boolean {
  return answer === 'bash' || answer === 'zsh' || /^@\(#\)MIRBSD KSH |^Version AJM 93/.test(answer)
}
