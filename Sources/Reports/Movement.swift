/// How a title's place in a list compares with the list's previous run.
package enum Movement: Sendable, Hashable {
    case new
    /// By so many places, at least 1.
    case up(Int)
    case down(Int)
    case same
    /// It stood in an earlier run of the list, but not in the previous one.
    case back
}
