/// Tells from libvips' words, and from the file's own structure, what is wrong with a picture that would not decode cleanly.
enum Diagnosis {
    /// Why decoding failed.
    static func failure(_ text: String, bytes: UnsafeRawBufferPointer, as format: ImageFormat) -> ImagingError {
        if !Structure.isComplete(bytes, as: format) || mentionsTruncation(text) {
            return ImagingError(.truncatedImage, "the \(format.name) picture ends too early")
        }
        return ImagingError(.damagedImage, "the \(format.name) picture is damaged: \(text.isEmpty ? "no reason given" : text)")
    }

    /// What is wrong with a picture that decoded with these warnings; nil when they are benign.
    ///
    /// libjpeg warns of extraneous bytes between markers, unknown revisions and the like, after which the picture is whole; it also only
    /// warns of missing or wrong coded data, and goes on with grey.
    static func damage(inWarnings text: String) -> ImagingError? {
        if mentionsTruncation(text) { return ImagingError(.truncatedImage, "the JPEG picture ends too early") }
        for line in text.split(separator: ";") where line.contains("Corrupt JPEG data") && !line.contains("extraneous bytes before marker")
        {
            return ImagingError(.damagedImage, "the JPEG picture is damaged: \(line)")
        }
        return nil
    }

    private static func mentionsTruncation(_ text: String) -> Bool {
        ["Premature end", "premature end of JPEG", "truncated", "unexpected end", "Input file read error"].contains { text.contains($0) }
    }
}

extension ImageFormat {
    /// The format's name in a sentence.
    var name: String {
        switch self {
        case .webp: "WebP"
        default: rawValue.uppercased()
        }
    }
}
