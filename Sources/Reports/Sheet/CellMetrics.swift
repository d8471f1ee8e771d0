/// The measures of one cell, all of which follow from its width.
struct CellMetrics: Sendable, Equatable {
    let width: Double
    let captions: SheetOptions.Captions
    /// Whether full captions have a line for runtime and director.
    var hasDetails = false

    static let titleLineHeight = 1.24
    private static let titleLines = 2.0

    var posterHeight: Double { width * 1.5 }
    var cornerRadius: Double { width / 10 }
    var titleSize: Double { min(16, max(6.8, width * 0.078)) }
    /// Of the rank, the movement, the year and the score.
    var smallSize: Double { titleSize * 0.88 }
    /// From the poster to the top of the rank's line.
    var captionSpace: Double { titleSize * 0.55 }
    var rankLine: Double { titleSize * 1.4 }
    var factsLine: Double { titleSize * 1.35 }

    var height: Double {
        let titleBlock = titleSize * Self.titleLineHeight * Self.titleLines
        return switch captions {
        case .none: posterHeight
        case .title: posterHeight + captionSpace + rankLine + titleBlock
        case .full: posterHeight + captionSpace + rankLine + titleBlock + factsLine * (hasDetails ? 2 : 1)
        }
    }

    /// The least space between one row and the next.
    var rowSpace: Double { captions == .none ? width / 7 : titleSize * 1.6 }
}

/// The measures of a list's heading, which follow from the width that it has.
struct HeadingMetrics: Sendable, Equatable {
    let width: Double

    var titleSize: Double { min(30, max(15, width * 0.042)) }
    var factsSize: Double { max(8, titleSize * 0.46) }
    /// With its rule, without the space below.
    var height: Double { titleSize * 1.3 + factsSize * 2.6 }
    var space: Double { factsSize * 1.8 }
}
