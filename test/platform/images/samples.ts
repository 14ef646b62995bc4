/** Small images of every kind, all 300x200, made by an encoder (Pillow) but for the PNG. */
import { crc32, deflateSync } from 'node:zlib'

const decode = (base64: string): Buffer => Buffer.from(base64, 'base64')

export const samples = {
  png: makePng(300, 200),
  /** One frame, as GIF87a. */
  gif: decode(
    'R0lGODdhLAHIAIEAAMgeHgAAAAAAAAAAACwAAAAALAHIAEAI/wABCBxIsKDBgwgTKlzIsKHDhxAjSpxIsaLFixgzatzIsaPHjyBDihxJsqTJkyhTqlzJsqXLlzBjypxJs6bNmzhz6tzJs6fPn0CDCh1KtKjRo0iTKl3KtKnTp1CjSp1KtarVq1izat3KtavXr2DDih1LtqzZs2jTql3Ltq3bt3Djyp1Lt67du3jz6t3Lt6/fv4ADCx5MuLDhw4gTK17MuLHjx5AjS55MubLly5gza97MubPnz6BDix5NurTp06hTq17NurXr17Bjy55Nu7bt27hz697Nu7fv38CDCx9OvLjx48iTK1/OvLnz59CjS59Ovbr169iza9/Ovbv37+DDi5QfT768+fPo06tfz769+/fw48ufT7++/fv48+vfz7+///8ABijggAQWaOCBCCao4IIMNujggxBGKOGEFFZo4YUYZqjhhhx26OGHIIYo4ogklmjiiSimqOKKLLbo4oswxijjjDTWaOONOOao44489ujjj0AGKeSQRBZp5JFIJqnkkkw26eSTUEYp5ZRUVmnllVhmuWNAADs=',
  ),
  webpLossy: decode(
    'UklGRsgAAABXRUJQVlA4ILwAAACwEACdASosAcgAP83m8XO/uDOsoCgD8DmJaW7hdqAAGGEXJyHvtk5D32ych77ZOQ+D91kPfbJyHvtk6KZD32ych9C+l2vFych77cy/T2ych77ZQMvFych77ZOR/zych77ZOQ+hfS7Xi5OQ9+AIB77ZOQ99sxlp7ZOQ99snOIi5OQ99snIiB5OQ99snIbwAAP7+SV+3ft/8jsIbsMGcp6r5p3HAArJKH90Z+84cFgXY7daHAqcCAAAAAAAAAA==',
  ),
  webpLossless: decode('UklGRiQAAABXRUJQVlA4TBgAAAAvK8ExAAdQjyLXo/8BAEX6/58i+p/6/zU='),
  /** With an alpha channel, which needs the extended header. */
  webpExtended: decode(
    'UklGRvgAAABXRUJQVlA4WAoAAAAQAAAAKwEAxwAAQUxQSB4AAAABD/C8/4iIQKRtI+H+lR6OL+eP6P8E4MyWSrj/fhFWUDggtAAAABARAJ0BKiwByAA/zebxc7+4M6ygKAPwOYlpbuF2sRaADDCLk5D32ych78jB++80eS+/+3vocILtKgWS7XkC9yHvtk5D32ych77ZOQ99sxlp7ZOQ99snOIi5OQ99snIiB5OQ99snIfAfpdrxcnIe+3Mv09snIe+2UDLxcnIe+2Tkf88nIe+2TkPoX0u14uTkPWAA/v5JXuKaZ/1rz9yJHCc9hpb8gUs9lvBi04oAAAAAAAAAAA==',
  ),
  /** With an EXIF segment before the frame. */
  jpegBaseline: decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4QASRXhpZgAASUkqAAgAAAAAAP/bAEMA///////////////////////////////////////////////////////////////////////////////////////AAAsIAMgBLAEBEQD/xAAVAAEBAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//Z',
  ),
  /** The frame comes before the Huffman tables. */
  jpegProgressive: decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCADIASwBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/2gAIAQEAAAABgAAAAA==',
  ),
}

/** A PNG of one colour: `bytes` more of noise in a text chunk make it as big as wanted. */
export function makePng(width: number, height: number, bytes = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of grey.
  header[8] = 8
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  const noise = bytes === 0 ? [] : [chunk('tEXt', Buffer.alloc(bytes, 'x'))]
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...noise,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
