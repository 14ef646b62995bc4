/** The options and operands of shells: `bash -x -c 'rm'`, `bash -x build.sh`. */
import type { CommandWord } from './line.ts'

export const shells = new Set(['sh', 'bash', 'rbash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish'])

const longShellOptions = new Set(
  ['help', 'login', 'noediting', 'noprofile', 'norc', 'posix', 'restricted', 'verbose', 'version'].map(
    name => `--${name}`,
  ),
)

/** The words that a shell runs as a program: `build.sh all` for `bash -x build.sh all`; empty if there are none. */
export function scriptOf(words: readonly CommandWord[]): readonly CommandWord[] {
  const name = words[0]?.value?.replace(/^.*\//, '') ?? ''
  if (name === '.' || name === 'source') return words.slice(1)
  if (!shells.has(name)) return []
  const { at, runsText } = shellOperands(words)
  return runsText ? [] : words.slice(at)
}

/** The place of a shell's first operand, which is the text of `-c` whatever options follow that: `bash -c -x 'rm'`. */
export function shellOperands(words: readonly CommandWord[]): { at: number; runsText: boolean; isKnown: boolean } {
  const name = words[0]?.value?.replace(/^.*\//, '') ?? ''
  const takesValue = /^(?:ba|rba)?sh$/.test(name) ? /^[-+]\w*[oO]$/ : /^[-+]\w*o$/
  let runsText = false
  let at = 1
  for (; at < words.length; at++) {
    const value = words[at]?.value
    if (!value || !/^[-+]/.test(value)) break
    if (value === '-' || value === '--') return { at: at + 1, runsText, isKnown: true }
    // Some shells read what follows an `o` as its value: `-opipefail`.
    const isKnown = /^[-+][abcefhiklmnprstuvxBCDEHPT]*[oO]?$/.test(value) || longShellOptions.has(value)
    if (!isKnown || (name === 'fish' && value !== '-c')) return { at, runsText, isKnown: false }
    if (value.startsWith('--')) continue
    runsText ||= value.startsWith('-') && value.includes('c')
    if (takesValue.test(value)) at++
    else if (/[oO]/.test(value)) return { at, runsText, isKnown: false }
  }
  return { at, runsText, isKnown: true }
}
