// A policy is imported as the value its YAML holds: the bundler and the test runner parse it when they build.
declare module '*.yaml' {
  const value: unknown
  export default value
}
