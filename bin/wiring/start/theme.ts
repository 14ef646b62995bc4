/**
 * The appearance of the program: number of colours, symbols, and the theme, which may depend on a background that the
 * terminal reports only after the first frame.
 */
import type { UseTheme } from '../../../src/app/context/parts.ts'
import type { ThemeRow } from '../../../src/state/state.ts'
import type { Settings } from '../../../src/config/schema.ts'
import { UserError, type UserNotice } from '../../../src/platform/errors.ts'
import {
  answersQueries,
  appearanceByEnvironment,
  appearanceOf,
  colorDepth,
  opensHyperlinks,
  showsAttributes,
  showsUnicode,
  type ColorDepth,
  type TerminalColor,
} from '../../../src/terminal/capabilities.ts'
import { AUTO, createThemes, type FoundTheme, type ThemeFolders } from '../../../src/config/theme-files.ts'
import { rgb } from '../../../src/style/color.ts'
import { createTheme, type Theme } from '../../../src/style/theme.ts'

type ChosenThemeStyle = Pick<Settings, 'color' | 'ascii' | 'reducedMotion' | 'screenReader'>

export type ChosenThemeOptions = {
  /** The name or the file of the theme. */
  theme: string
  /** The place that names the theme; null for a flag, where an unusable theme ends the start. */
  themePlace: string | null
  /** The requested colours, symbols and motion. The terminal may support less. */
  style: ChosenThemeStyle
  folders: ThemeFolders
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
}

export type ChosenTheme = {
  /** The requested name of the theme. */
  used: string
  offered: readonly ThemeRow[]
  /** Problems with the theme or the environment. */
  warnings: readonly UserNotice[]
  /** Whether to ask the terminal for its background. */
  asksBackground: boolean
  /** Whether the theme is final. Until then `theme` is one that works on any background. */
  isDecided: boolean
  theme: () => Theme
  /** Takes the background that the terminal reported, null for no answer. Returns false if nothing changes. */
  learn: (color: TerminalColor | null) => boolean
  use: UseTheme
  /** Changes colours, symbols and motion. */
  restyle: (style: ChosenThemeStyle) => void
}

/** @throws UserError if the theme does not exist or cannot be used. */
export function createThemeChoice({
  theme,
  themePlace,
  folders,
  env,
  platform,
  ...options
}: ChosenThemeOptions): ChosenTheme {
  let { style } = options
  let depth = depthOf(style)
  const themes = createThemes(folders)
  const warnings: UserNotice[] = []
  let background = appearanceByEnvironment(env)
  /** The background that the terminal reported. */
  let reported: TerminalColor | null = null
  let used = theme
  let found = themePlace === null ? themes.find(used, background) : findOrAuto(themePlace)
  warnings.push(...found.warnings.map(text => ({ text, isNote: true as const })))
  const isDecided = depth === 0 || !found.dependsOnBackground
  let inUse = isDecided ? made(found) : made(null)
  let isFirst = true

  return {
    used,
    offered: themes.list(),
    warnings,
    asksBackground: depth > 0 && answersQueries(env),
    isDecided,
    theme: () => inUse,
    learn,
    use,
    restyle,
  }

  function depthOf({ color }: ChosenThemeStyle): ColorDepth {
    return color ? colorDepth(env, platform) : 0
  }

  function restyle(next: ChosenThemeStyle): void {
    style = next
    depth = depthOf(next)
    inUse = made(found)
  }

  function made(definition: FoundTheme | null): Theme {
    const unicode = !style.ascii && !style.screenReader && showsUnicode(env, platform)
    return createTheme(depth, {
      definition: definition?.theme ?? null,
      background: reported && rgb(reported.red, reported.green, reported.blue),
      attributes: showsAttributes(env, platform),
      unicode,
      hyperlinks: opensHyperlinks(env) && !style.screenReader,
      motion: !style.reducedMotion && !style.screenReader,
      isSpoken: style.screenReader,
    })
  }

  function findOrAuto(place: string): FoundTheme {
    try {
      return themes.find(used, background)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      warnings.push({ text: `${place}: ${error.message} ${error.hint}`.trim() })
      used = AUTO
      return themes.find(used, background)
    }
  }

  function learn(color: TerminalColor | null): boolean {
    const before = background
    background = color ? appearanceOf(color) : background
    reported = color ?? reported
    const isOther = found.dependsOnBackground && (isFirst || background !== before)
    isFirst = false
    if (isOther) found = themes.find(used, background)
    else if (color === null) return false
    inUse = made(found)
    return true
  }

  function use(name: string): ReturnType<UseTheme> {
    try {
      found = themes.find(name, background)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return { ok: false, message: error.message, hint: error.hint }
    }
    used = name
    inUse = made(found)
    return { ok: true, warnings: found.warnings }
  }
}
