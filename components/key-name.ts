import type { Key } from 'ink'

/**
 * The keymap's name of a key as Ink tells it, such as `ctrl+j` or `shift+enter`; null where it is text to be typed.
 * Modifiers stand in the order ctrl, alt, shift.
 */
export function keyName(input: string, key: Key): string | null {
  const special = specialName(key)
  if (special === null && !key.ctrl && !key.meta) return null
  const name = special ?? (input === ' ' ? 'space' : input.toLowerCase())
  if (name === '') return null
  const shift = key.shift && (special !== null || key.ctrl || key.meta)
  return [key.ctrl ? 'ctrl' : '', key.meta && special !== 'escape' ? 'alt' : '', shift ? 'shift' : '', name]
    .filter(part => part !== '')
    .join('+')
}

function specialName(key: Key): string | null {
  if (key.return) return 'enter'
  if (key.escape) return 'escape'
  if (key.tab) return 'tab'
  if (key.backspace) return 'backspace'
  if (key.delete) return 'delete'
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.leftArrow) return 'left'
  if (key.rightArrow) return 'right'
  if (key.pageUp) return 'pageup'
  if (key.pageDown) return 'pagedown'
  if (key.home) return 'home'
  return key.end ? 'end' : null
}
