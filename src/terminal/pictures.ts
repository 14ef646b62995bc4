/** Makes the bytes that draw pictures from the cursor's cell on, in a fixed number of cells. Pure. */
import type { PictureProtocol } from './capabilities.ts'

/** The kinds of files that are sent as they are. */
export const drawnKinds: Readonly<Record<PictureProtocol, readonly string[]>> = {
  kitty: ['image/png'],
  iterm2: ['image/png', 'image/jpeg', 'image/gif'],
}

export type Cells = { columns: number; rows: number }

/** Asks for no answer and no move of the cursor. */
export function drawPicture(protocol: PictureProtocol, bytes: Buffer, { columns, rows }: Cells): string {
  const data = bytes.toString('base64')
  if (protocol === 'iterm2') {
    const how = `inline=1;size=${bytes.length};width=${columns};height=${rows};preserveAspectRatio=1;doNotMoveCursor=1`
    return `\u001B]1337;File=${how}:${data}\u0007`
  }
  const pieces = data.match(/.{1,4096}/g) ?? []
  return pieces
    .map((piece, index) => {
      const how = index === 0 ? `a=T,f=100,c=${columns},r=${rows},C=1,q=2,` : 'q=2,'
      return `\u001B_G${how}m=${index < pieces.length - 1 ? 1 : 0};${piece}\u001B\\`
    })
    .join('')
}

/** Removes a picture that covers the cursor's cell, for terminals in which erasing the cell does not. */
export function wipePicture(protocol: PictureProtocol): string {
  return protocol === 'kitty' ? '\u001B_Ga=d,d=C,q=2\u001B\\' : ''
}
