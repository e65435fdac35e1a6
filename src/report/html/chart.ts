// Charts as SVG, made with Observable Plot when the file is written. Colours are classes of the style sheet, so that a
// chart follows light and dark. Each chart is drawn for wide and for narrow screens: its text stays readable on both.
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { type Html, html, trustedHtml } from './html.ts'

/** Pixels. The wide drawing is shown from 40rem on. */
export const WIDE = 720
export const NARROW = 320

/** What a chart is drawn from; `width` is WIDE or NARROW. */
export type DrawChart = (width: number) => Plot.PlotOptions

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** Both drawings; `alternative` says in words what they show. */
export const renderChart = (draw: DrawChart, alternative: string): Html =>
  html`<div class="chart wide">${drawSvg(draw, WIDE, alternative)}</div>
<div class="chart narrow">${drawSvg(draw, NARROW, alternative)}</div>`

/** One narrow drawing, for several charts side by side. */
export const renderSmallChart = (draw: DrawChart, alternative: string): Html =>
  html`<div class="chart">${drawSvg(draw, NARROW, alternative)}</div>`

function drawSvg(draw: DrawChart, width: number, alternative: string): Html {
  const options = draw(width)
  const svg = Plot.plot({ marginTop: 24, fontSize: 12, ...options, width, document } as Plot.PlotOptions)
  svg.querySelector('style')?.remove()
  // Labels of groups are in English jargon ("y-axis tick label"), and the whole is one image.
  for (const group of svg.querySelectorAll('[aria-label]')) group.removeAttribute('aria-label')
  for (const title of svg.querySelectorAll('title')) title.remove()
  for (const name of ['class', 'font-family', 'font-size', 'fill']) svg.removeAttribute(name)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', alternative)
  return trustedHtml(String(svg.outerHTML).replace(/<[^>]*>/g, roundNumbers))
}

/** Hundredths of a pixel are enough: the file is a third smaller. */
const roundNumbers = (tag: string): string =>
  tag.replace(/-?\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
