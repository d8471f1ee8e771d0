internal import Core

/// A feed in the shape of JSON Feed 1.1. Addresses there are absolute, so a site that does not know its own leaves them out.
struct JSONFeed: Encodable {
    struct Author: Encodable {
        let name: String
    }

    struct Item: Encodable {
        let id: String
        let url: String?
        let title: String
        let contentHTML: String
        let image: String?
        let datePublished: String
        let language: String

        private enum CodingKeys: String, CodingKey {
            case id, url, title, image, language
            case contentHTML = "content_html"
            case datePublished = "date_published"
        }
    }

    let version = "https://jsonfeed.org/version/1.1"
    let title: String
    let description: String
    let homePageURL: String?
    let feedURL: String?
    let language = "en"
    let authors: [Author]
    let items: [Item]

    init(feed: Feed) {
        title = feed.title
        description = feed.subtitle
        homePageURL = feed.base?.text
        feedURL = feed.base.map { $0.text + "feed.json" }
        authors = [Author(name: feed.title)]
        items = feed.items.map { item in
            Item(
                id: item.id, url: feed.base == nil ? nil : item.address, title: item.name.text, contentHTML: item.html,
                image: feed.base == nil ? nil : item.picture, datePublished: item.date.iso8601, language: item.name.language)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case version, title, description, language, authors, items
        case homePageURL = "home_page_url"
        case feedURL = "feed_url"
    }
}
