// A file of 2 GiB sent to a route that keeps files: how much memory the server takes for it beyond what it had, and how
// long it takes to be stored, sealed, on the disk and in a bucket on this machine. `BENCH_UPLOAD_MIB` chooses another size.
import { randomFillSync } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const mib = 1_048_576
const size = Number(process.env.BENCH_UPLOAD_MIB ?? 2_048)
const piece = randomFillSync(Buffer.alloc(mib))

/** Bytes, of the process's own account: the most it ever held, and what it holds. */
function memory({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024
  return { peak: of('VmHWM'), resident: of('VmRSS') }
}

function upload(child, megabytes) {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        method: 'POST',
        port: child.port,
        path: '/api/v1/compliance/raw-files',
        headers: {
          authorization: `Bearer ${child.token}`,
          'content-type': 'application/octet-stream',
          'content-length': megabytes * mib,
        },
      },
      (response) => {
        response.resume()
        response.once('end', () => (response.statusCode === 201 ? resolve() : reject(new Error(response.statusCode))))
      },
    )
    call.once('error', reject)
    let sent = 0
    const more = () => {
      while (sent < megabytes) {
        sent += 1
        if (!call.write(piece)) return call.once('drain', more)
      }
      return call.end()
    }
    more()
  })
}

async function measure(env) {
  const child = await startChild('bench/servers/upload.ts', { env })
  // The first uploads load and compile code, which is not of their size.
  for (let n = 0; n < 5; n += 1) await upload(child, 32)
  const before = memory(child)
  const cpuBefore = (await child.usage()).cpu
  const begun = performance.now()
  await upload(child, size)
  const seconds = (performance.now() - begun) / 1_000
  const after = memory(child)
  const cpu = ((await child.usage()).cpu - cpuBefore) / 1e6
  await child.stop()
  rmSync(child.folder, { recursive: true, force: true })
  return {
    extra_memory_mib: Math.round((Math.max(after.peak, before.peak) - before.resident) / mib),
    seconds: Math.round(seconds * 10) / 10,
    cpu_seconds: Math.round(cpu * 10) / 10,
    mebibytes_per_second: Math.round(size / seconds),
  }
}

const disk = await measure({})
const bucket = await startChild('bench/servers/bucket.mjs')
const s3 = await measure({
  PARAPET_BLOBS_S3: `http://127.0.0.1:${bucket.port}/files/bench`,
  PARAPET_BLOBS_S3_KEY: 'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
})
const { bytes } = await bucket.ask({ type: 'bytes' })
if (bytes < size * mib) throw new Error(`the bucket got ${bytes} bytes`)
await bucket.stop()
report('upload', { bars: { 'extra memory, MiB': 64 }, mebibytes: size, disk, s3 })
