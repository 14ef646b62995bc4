/** A QR code as rows of half blocks. */
import { encode } from 'uqr'

/** Modules of light around a code: scanners find it on a dark screen, too. */
const QUIET = 2
/** A larger code fits on no usual screen. */
const LARGEST = 10

/** Two modules in each character: a block is dark. Null if the text is too long. */
export function qrRows(text: string): string[] | null {
  const modules = modulesOf(text)
  if (modules === null) return null
  return Array.from({ length: Math.ceil(modules.length / 2) }, (_, row) => {
    const below = modules[row * 2 + 1] ?? []
    return (modules[row * 2] ?? []).map((isDark, column) => halfBlock(isDark, below[column] ?? false)).join('')
  })
}

function modulesOf(text: string): boolean[][] | null {
  try {
    return encode(text, { ecc: 'L', border: QUIET, maxVersion: LARGEST }).data
  } catch {
    return null
  }
}

function halfBlock(above: boolean, below: boolean): string {
  if (above) return below ? '█' : '▀'
  return below ? '▄' : ' '
}
