// The first file of every script, in syntax that every Node understands, so that an old Node gives a clear message instead of a syntax error.
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'Sandhai needs Node 24 or newer. On Linux x64 `npm ci` brings it along; elsewhere install it (this is Node ' +
      process.versions.node +
      ').',
  )
  process.exit(1)
}
