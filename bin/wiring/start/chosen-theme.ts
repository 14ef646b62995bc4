import { join } from 'node:path'
import process from 'node:process'
import { zotHome } from '../../../src/agents/zot/program/home.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { ownThemesFolder } from '../../../src/config/theme-files.ts'
import { createThemeChoice, type ChosenTheme } from './theme.ts'

/** The theme that the settings choose, for this terminal. */
export function chosenTheme(settings: SettingsStore, home: string): ChosenTheme {
  const { env, platform } = process
  const folders = { own: ownThemesFolder(), zot: join(zotHome(env, platform, home), 'themes') }
  const style = settings.values()
  const { kind, place } = settings.sourceOf('theme')
  const themePlace = kind === 'flag' ? null : place
  return createThemeChoice({ theme: settings.pathOf('theme'), themePlace, style, folders, env, platform })
}
