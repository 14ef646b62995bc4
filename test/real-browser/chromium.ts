/** A real Chromium. `ZOTUI_CHROMIUM` names it; otherwise it is Debian's. */
import process from 'node:process'
import { chromium, type Browser } from 'playwright-core'

export const chromiumProgram = process.env['ZOTUI_CHROMIUM'] ?? '/usr/bin/chromium'

/** Chromium refuses a sandbox to root. Its own calls home are off, so that what is asked for is the page's. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumProgram,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'],
  })
}
