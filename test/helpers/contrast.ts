import { luminance, type Rgb } from '../../src/style/color.ts'

/** The contrast of two colours, from 1 to 21: WCAG 2. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
