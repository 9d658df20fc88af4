/**
 * The console: the files that its build made, and one page for all of its addresses. Promises that the page carries a
 * nonce of its own each time and runs nothing but these files, that no address leads out of the folder, and that a file is
 * kept by browsers only under a name that holds its digest. Tested in console.test.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiErrors } from '../kernel/errors/errors.ts'
import type { Call } from '../kernel/http/call.ts'
import type { Surface, SurfaceAnswer } from '../kernel/http/surfaces.ts'
import type { Kernel } from '../kernel/kernel.ts'

/** First parts of the addresses that the console shows; all are below the one page. */
const areas = [
  ...['home', 'trust', 'gateway', 'aegis', 'compliance', 'risk', 'iam', 'admin', 'modules', 'docs'],
  // The last two are where links of mails lead.
  ...['sign-in', 'reset', 'confirm-email'],
]

/** Stands in the built page where each answer has its nonce. */
const placeholder = '__PARAPET_NONCE__'
const nonceBytes = 16

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const kept = 'public, max-age=31536000, immutable'

/** Folder of the console beside the running bundle; undefined where it was not built. */
export function builtConsole(): string | undefined {
  const folder = fileURLToPath(new URL('./console', import.meta.url))
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

type PageKernel = Pick<Kernel, 'random'> & { readonly config: Pick<Kernel['config'], 'publicUrl'> }

/** @throws Error where the folder holds no built console */
export function consolePages({ random, config }: PageKernel, folder: string): readonly Surface[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const names = new Set(readdirSync(join(folder, 'assets')))
  const show = async (): Promise<SurfaceAnswer> => {
    const nonce = Buffer.from(random.bytes(nonceBytes)).toString('base64url')
    return {
      type: 'text/html; charset=utf-8',
      body: page.replaceAll(placeholder, nonce),
      headers: {
        'content-security-policy': consolePolicy(nonce, config.publicUrl),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      },
    }
  }
  return [
    { path: '/', answer: show },
    ...areas.flatMap((area) => [`/${area}`, `/${area}/*`]).map((path) => ({ path, answer: show })),
    { path: '/assets/{file}', answer: (call, { file = '' }) => asset(join(folder, 'assets'), { call, file, names }) },
  ]
}

/** Scripts of this server alone, and styles that are its files or carry the nonce. */
export function consolePolicy(nonce: string, publicUrl: string): string {
  const { host, protocol } = new URL(publicUrl)
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${socket}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}

interface Asked {
  readonly call: Pick<Call, 'header'>
  readonly file: string
  /** Of the files that the build made. */
  readonly names: ReadonlySet<string>
}

async function asset(folder: string, { call, file, names }: Asked): Promise<SurfaceAnswer> {
  const type = types[extname(file)]
  if (type === undefined || !names.has(file)) throw apiErrors.notFound({ what: 'file of the console' })
  const packed = names.has(`${file}.gz`) && /\bgzip\b/.test(call.header('accept-encoding') ?? '')
  return {
    type,
    body: await readFile(join(folder, packed ? `${file}.gz` : file)),
    headers: {
      'cache-control': kept,
      vary: 'accept-encoding',
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
    },
  }
}
