// A bucket that speaks as much of S3 as an upload needs and keeps nothing but the sizes of its files, so that its memory says
// nothing and its disk is none. `bytes` answers how many it took.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

let bytes = 0
const open = new Map()

async function drained(request) {
  const digest = createHash('md5')
  for await (const chunk of request) {
    bytes += chunk.length
    digest.update(chunk)
  }
  return `"${digest.digest('hex')}"`
}

const server = createServer(async (request, response) => {
  const { searchParams: query } = new URL(request.url, 'http://bucket')
  const upload = query.get('uploadId')
  const tag = await drained(request)
  const end = (status, text = '', headers = {}) => response.writeHead(status, headers).end(text)
  if (request.method === 'POST' && query.has('uploads')) {
    const id = `upload-${open.size + 1}`
    open.set(id, new Set())
    return end(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  if (upload !== null && !open.has(upload)) return end(404, '<Error><Code>NoSuchUpload</Code></Error>')
  if (request.method === 'PUT') return end(200, '', { etag: tag })
  if (request.method === 'POST') return end(200, '<CompleteMultipartUploadResult/>')
  if (request.method === 'GET') return end(200, '<ListMultipartUploadsResult></ListMultipartUploadsResult>')
  return end(request.method === 'HEAD' ? 404 : 204)
})
server.listen(0, '127.0.0.1', () => process.send({ type: 'ready', port: server.address().port }))
process.on('message', ({ type }) => {
  if (type === 'bytes') process.send({ type, bytes })
})
