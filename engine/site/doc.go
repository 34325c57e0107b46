// Package site recognises pages of media sites by their URL alone. Start with [Of]:
//
//	if page, ok := site.Of("https://youtu.be/abc"); ok {
//		fmt.Println(page.Kind, page.Name)
//	}
package site
