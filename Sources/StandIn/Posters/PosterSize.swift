/// A poster's size as the host's token names it. Posters are two by three.
struct PosterSize: Sendable, Hashable {
    let token: String
    let widthPixels: Int
    let heightPixels: Int

    /// `w185`, `w342`, `w500`, any other `w<N>` or `h<N>` up to 2000, or `original`, which is 1000 wide; nil for anything else.
    init?(_ token: String) {
        if token == "original" {
            (widthPixels, heightPixels) = (1_000, 1_500)
        } else if let number = Int(token.dropFirst()), (1...2_000).contains(number), token.dropFirst().allSatisfy(\.isNumber) {
            switch token.first {
            case "w": (widthPixels, heightPixels) = (number, (number * 3 + 1) / 2)
            case "h": (widthPixels, heightPixels) = (max(1, (number * 2 + 1) / 3), number)
            default: return nil
            }
        } else {
            return nil
        }
        self.token = token
    }
}
