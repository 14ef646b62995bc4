/** The themes that come with zotui. */
import ansi from '../../themes/ansi.json' with { type: 'json' }
import colorblindDark from '../../themes/colorblind-dark.json' with { type: 'json' }
import colorblindLight from '../../themes/colorblind-light.json' with { type: 'json' }
import dark from '../../themes/dark.json' with { type: 'json' }
import highContrastDark from '../../themes/high-contrast-dark.json' with { type: 'json' }
import highContrastLight from '../../themes/high-contrast-light.json' with { type: 'json' }
import light from '../../themes/light.json' with { type: 'json' }
import { emptyTheme, resolveTheme, type ThemeDefinition } from './definition.ts'

const files: ReadonlyMap<string, { name: string; description: string }> = new Map(
  [dark, light, ansi, highContrastDark, highContrastLight, colorblindDark, colorblindLight].map(file => [
    file.name,
    file,
  ]),
)

const read = new Map<string, ThemeDefinition>()

export const builtinNames: readonly string[] = [...files.keys()]

export function builtinDescription(name: string): string {
  return files.get(name)?.description ?? ''
}

/** The built-in theme of this name, or null. Only those that are asked for are read. */
export function builtinTheme(name: string): ThemeDefinition | null {
  const known = read.get(name)
  if (known) return known
  const file = files.get(name)
  if (!file) return null
  // Built-in themes are complete and need no base; a test checks them.
  const { theme } = resolveTheme(file, name, () => emptyTheme)
  read.set(name, theme)
  return theme
}
