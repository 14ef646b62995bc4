import { join } from 'node:path'
import process from 'node:process'
import { zotHome } from '../src/agents.ts'
import type { SettingsStore } from '../src/config/settings.ts'
import { ownThemesFolder } from '../src/theme-files.ts'
import { createLook, type Look } from './look.ts'

/** The look that the settings choose, on this terminal. */
export function chosenLook(settings: SettingsStore, home: string): Look {
  const { env, platform } = process
  const folders = { own: ownThemesFolder(), zot: join(zotHome(env, platform, home), 'themes') }
  const style = settings.values()
  const { kind, place } = settings.sourceOf('theme')
  const themePlace = kind === 'flag' ? null : place
  return createLook({ theme: settings.pathOf('theme'), themePlace, style, folders, env, platform })
}
