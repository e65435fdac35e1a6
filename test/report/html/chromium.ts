// A headless Chromium for tests, driven over its DevTools protocol by a pipe: no package, no port, no download.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser of this machine: CHROME_BIN, or a well-known path. Undefined if there is none. */
export const findChromium = (): string | undefined =>
  [process.env['CHROME_BIN'], ...KNOWN_PATHS].find((file) => file !== undefined && fs.existsSync(file))

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

export interface View {
  readonly width: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** As a person who sets a larger font. */
  readonly scale?: number
}

/** A tab. Everything that it wanted to load and everything that was written to its console is kept. */
export interface Tab {
  readonly requests: string[]
  readonly messages: string[]
  open(file: string, hash?: string): Promise<void>
  show(view: View): Promise<void>
  /** The value of an expression in the page; promises are awaited. */
  evaluate<T>(expression: string): Promise<T>
  press(key: 'Tab' | 'Enter' | 'Escape' | ' ', shift?: boolean): Promise<void>
  screenshot(file: string, whole?: boolean): Promise<void>
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
}

const KEY_CODES = { Tab: 9, Enter: 13, Escape: 27, ' ': 32 } as const

/** Starts a browser without network. `close` ends it. */
export async function launchChromium(
  binary: string,
): Promise<{ readonly tab: Tab; readonly close: () => Promise<void> }> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-chromium-'))
  const child = spawn(
    binary,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe'],
      ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
      // Nothing listens there, so every request of a page fails.
      ...['--proxy-server=127.0.0.1:9', '--lang=en-US', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const send = connect(child)
  const { targetInfos } = (await send('Target.getTargets')) as { targetInfos: { targetId: string; type: string }[] }
  const target = targetInfos.find(({ type }) => type === 'page')
  const { sessionId } = await send('Target.attachToTarget', { targetId: target?.targetId, flatten: true })
  const tab = await openTab(send.inSession(sessionId as string))
  return {
    tab,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await send('Browser.close').catch(() => undefined)
      await ended
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

type Send = (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>
type Listen = (method: string, listener: (params: Record<string, unknown>) => void) => void
interface SessionSend {
  readonly send: Send
  readonly on: Listen
}

function connect(child: ChildProcess): Send & { inSession(id: string): SessionSend } {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >()
  const listeners = new Map<string, (params: Record<string, unknown>) => void>()
  let count = 0
  let rest = ''
  output.setEncoding('utf8')
  output.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) receive(JSON.parse(part) as Message)
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended'))
  })
  function receive({ id, method, params = {}, result = {}, error }: Message): void {
    if (id === undefined) {
      listeners.get(method ?? '')?.(params)
      return
    }
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error) pending?.reject(new Error(error.message))
    else pending?.resolve(result)
  }
  const sendFrom =
    (sessionId?: string): Send =>
    (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject })
        input.write(`${JSON.stringify({ id: count, method, params, ...(sessionId && { sessionId }) })}\0`)
      })
  return Object.assign(sendFrom(), {
    inSession: (id: string) => ({
      send: sendFrom(id),
      on: (method: string, listener: (params: Record<string, unknown>) => void) => void listeners.set(method, listener),
    }),
  })
}

async function openTab({ send, on }: SessionSend): Promise<Tab> {
  const requests: string[] = []
  const messages: string[] = []
  let loaded = (): void => {}
  on('Network.requestWillBeSent', ({ request }) => void requests.push((request as { url: string }).url))
  on('Log.entryAdded', ({ entry }) => void messages.push((entry as { text: string }).text))
  on('Runtime.consoleAPICalled', ({ type }) => void messages.push(`console.${String(type)}`))
  on('Runtime.exceptionThrown', () => void messages.push('an exception'))
  on('Page.loadEventFired', () => loaded())
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  const tab: Tab = {
    requests,
    messages,
    send,
    async open(file, hash = '') {
      const ready = new Promise<void>((resolve) => {
        loaded = resolve
      })
      await send('Page.navigate', { url: 'about:blank' })
      await ready
      const again = new Promise<void>((resolve) => {
        loaded = resolve
      })
      await send('Page.navigate', { url: `${pathToFileURL(file).href}${hash}` })
      await again
    },
    async show({ width, height = 900, scheme = 'light', scale = 1 }) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false })
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    },
    async evaluate<T>(expression: string) {
      const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      const { result, exceptionDetails } = answer as { result: { value: T }; exceptionDetails?: { text: string } }
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result.value
    },
    async press(key, shift = false) {
      const event = {
        key,
        code: key === ' ' ? 'Space' : key,
        windowsVirtualKeyCode: KEY_CODES[key],
        modifiers: shift ? 8 : 0,
      }
      const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined
      await send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event, ...(text && { text }) })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    },
    async screenshot(file, whole = false) {
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: whole })
      fs.writeFileSync(file, Buffer.from(data as string, 'base64'))
    },
  }
  return tab
}
